import { expect, test } from "vitest";
import { parseResumeCondition, readPriorityPrefix } from "../../src/index.ts";
import { refusalOf, START } from "../control-plane-world.ts";

test("a priority is read from the beginning of a text only", () => {
  const texts = [
    "[P0] x",
    "[P4]",
    "[P2]\tx",
    "write about the P0 incident",
    "x [P0]",
    " [P0] x",
    "[P9] x",
    "[P0]x",
    "[p0] x",
  ];
  expect(texts.map((text) => readPriorityPrefix(text))).toEqual([
    0,
    4,
    2,
    ...Array.from({ length: 6 }, () => undefined),
  ]);
});

test("a resume condition is one that can be evaluated offline, in one stored form", () => {
  const forms = {
    manual: "manual",
    "todo_done:todo_00000a": "todo_done:todo_00000a",
    "after:2h": "after:2026-03-01T14:00:00.000Z",
    "after:2026-03-01T15:00:00+02:00": "after:2026-03-01T13:00:00.000Z",
  };
  for (const [text, stored] of Object.entries(forms)) expect(parseResumeCondition(text, START)).toBe(stored);
});

test("any other resume condition is refused", async () => {
  const texts = [
    "",
    "after:",
    "after:0s",
    "after:tomorrow",
    "after:2026-02-31T00:00:00Z",
    "todo_done:x",
    "pr_merged:#1",
    "Manual",
  ];
  const codes = await Promise.all(
    texts.map((text) => refusalOf((async () => ({ ok: parseResumeCondition(text, START) !== "" }))())),
  );
  expect(codes).toEqual(texts.map((text) => (text === "todo_done:x" ? "invalid_id" : "invalid_value")));
});
