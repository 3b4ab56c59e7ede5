import { expect, test } from "vitest";
import { LoopxError } from "@loopx/contracts";
import { renderDocument, renderFault } from "../../src/workstation/render-document.ts";

test("text on its way to the page hides nothing and reorders nothing, in names too", async () => {
  const answer = renderDocument({
    text: "safe\u202egnp.exe\u2066\u200b end",
    list: [{ "na\u202dme": "\u001b[2Jcleared" }],
    kept: "line\n\ttab مرحبا 👩‍👩‍👧 <script>",
    count: 3,
    none: null,
    flag: true,
  });
  expect(await answer.json()).toEqual({
    text: "safegnp.exe end",
    list: [{ name: "\ufffd[2Jcleared" }],
    kept: "line\n\ttab مرحبا 👩‍👩‍👧 <script>",
    count: 3,
    none: null,
    flag: true,
  });
});

test("a fault is the packet of the command line with its status, and says nothing of what is not ours", async () => {
  const refused = renderFault(new LoopxError("unknown_goal", { message: "no\u202e goal", hint: "loopx goal list" }));
  expect(refused.status).toBe(404);
  expect(await refused.json()).toMatchObject({ ok: false, error: { code: "unknown_goal", message: "no goal" } });
  const broken = renderFault(new TypeError("secret thing at /home/someone/file.ts"));
  expect(broken.status).toBe(500);
  expect(await broken.text()).not.toContain("secret thing");
});
