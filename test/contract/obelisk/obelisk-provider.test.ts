import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { verifies } from "../../support/verifies.ts";
import { createObeliskHome, type ObeliskHome, type Row, someRow, THREAD } from "./obelisk-world.ts";

let home: ObeliskHome;
beforeEach(() => {
  home = createObeliskHome();
});
afterEach(() => home.remove());

/** Rows that must never come back, each the best ranked. */
function unwantedRows(): readonly Row[] {
  const rank = -1e-3;
  return [
    someRow("pilot: thinking", { message: { content_type: "thinking", role: "assistant" }, rank }),
    someRow(null, { message: { content_type: "tool_use", role: "assistant" }, rank }),
    someRow("pilot: meta", { message: { is_meta: 1 }, rank }),
    someRow("pilot: inactive", { message: { visibility: "inactive" }, rank }),
    someRow("pilot: hidden", { message: { visibility: "hidden" }, rank }),
    someRow("pilot: developer", { message: { role: "developer" }, rank }),
    someRow("pilot: own session", { session: { is_invoking: true }, rank }),
    someRow("pilot: another", { session: { id: `codex:${THREAD}0` }, rank }),
    someRow("pilot: prefix", { session: { id: `codex:${THREAD.slice(0, -1)}` }, rank }),
    someRow("pilot: claude", { session: { source: "claude" }, rank }),
    someRow("pilot: no rank", { rank: null }),
    someRow("pilot: no finite rank", { rank: "Infinity" }),
    someRow("pilot: bad id", { message: { uuid: "codex:a b" }, rank }),
    someRow("  ", { rank }),
    // What an earlier recall brought is no word of the session's own.
    someRow("I was told:\n[[loopx-data abc recall=p]]\nthe pilot ended\n[[loopx-data-end abc]]", { rank }),
    someRow(`${"pilot ".repeat(6000)}[[loopx-data abc recall=p]]`, { rank }),
    someRow(
      '{"schema_version":"decision_context_ephemeral_recall_v0","content":"pilot","content_trust":"untrusted_advisory"}',
      { message: { role: "assistant" }, rank },
    ),
  ];
}

describe("recall through Obelisk", () => {
  test("gives visible text of exactly the session, in the order of Obelisk", () => {
    verifies("obelisk.exact-session", "obelisk.visible-text-only");
    const better = someRow("Yes: keep a bounded pilot.", { message: { role: "assistant" }, rank: -2e-6 });
    const worse = someRow("Should adoption stay a bounded pilot?");
    home.setRows([...unwantedRows(), worse, better]);
    expect(home.retrieve()).toEqual({
      exitCode: 0,
      response: expect.objectContaining({ status: "completed", reason_code: null }),
      items: [
        {
          resource_ref: `obelisk:codex:${THREAD}:${better.message.uuid}`,
          summary: "Historical Codex task assistant",
          content: "Yes: keep a bounded pilot.",
          score: -2e-6,
        },
        {
          resource_ref: `obelisk:codex:${THREAD}:${worse.message.uuid}`,
          summary: "Historical Codex task user",
          content: "Should adoption stay a bounded pilot?",
          score: -9.137380191693291e-7,
        },
      ],
    });
  });

  test("holds the rows to the same rules when the script did not filter them", () => {
    verifies("obelisk.exact-session", "obelisk.visible-text-only");
    home.setRows([...unwantedRows(), someRow("The pilot")], "unfiltered");
    expect(home.retrieve().items.map(({ content }) => content)).toEqual(["The pilot"]);
  });

  test("rows that don't count take no place from those that do", () => {
    const unwanted = Array.from({ length: 12 }, unwantedRows).flat();
    home.setRows([...unwanted, ...Array.from({ length: 9 }, (_, at) => someRow(`The pilot ${at}`))]);
    expect(home.retrieve({ max_results: 8 }).items).toHaveLength(8);
  });

  test("runs --version and --query, and nothing else", () => {
    verifies("obelisk.public-cli");
    home.setRows([someRow("The pilot")]);
    expect(home.doctor()).toBe(0);
    home.retrieve();
    const [first, second, ...rest] = home.calls();
    expect(first?.argv).toEqual(["--version"]);
    expect(second?.argv).toEqual(["--query", expect.stringMatching(/\.mjs$/)]);
    expect(rest).toEqual([]);
  });

  test("reaches Obelisk by no other way: it imports Node and the kit alone, and no database", () => {
    verifies("obelisk.no-other-way", "obelisk.past-codex-tasks");
    const source = join(import.meta.dirname, "../../../packages/loopx-obelisk/src");
    const texts = readdirSync(source).map((name) => readFileSync(join(source, name), "utf8"));
    const imported = texts.flatMap((text) =>
      [...text.matchAll(/(?:from|import\(?) ?"([^".][^"]*)"/g)].map(([, name]) => name),
    );
    expect(new Set(imported)).toEqual(
      new Set(["node:child_process", "node:fs", "node:os", "node:path", "loopx-provider-sdk"]),
    );
    expect(texts.filter((text) => /--(?:build|attune)|\.db\b|\.sqlite/.test(text))).toEqual([]);
    expect(home.retrieve({ scope_ref: `host-session:claude-code:${THREAD}` }).response).toMatchObject({
      reason_code: "scope_unsupported",
    });
    expect(home.calls()).toEqual([]);
  });

  test("asks for any of the words, so that a question finds what holds one of them", () => {
    home.setRows([someRow("The pilot")]);
    expect(home.retrieve().items).toHaveLength(1);
    expect(home.calls()[0]?.script).toContain(String.raw`\"should\" OR \"pilot\" OR \"the\" OR \"extension\"`);
  });

  test("the query stands in a file for this user alone, and is gone afterwards", () => {
    home.setRows([someRow("The pilot")]);
    home.retrieve();
    const [call] = home.calls();
    expect(call?.modes).toEqual([0o600, 0o700]);
    expect(existsSync(call?.argv[1] ?? "")).toBe(false);
    expect(home.listTemporary()).toEqual([]);
  });

  test("no text of a query is code", () => {
    home.setRows([someRow("The pilot")]);
    for (const query of [
      '"); throw 1; ("pilot',
      "`${process.exit(3)}` pilot",
      "pilot\u2028throw 1",
      "</script> pilot \\",
    ])
      expect(home.retrieve({ query }).items).toHaveLength(1);
  });

  test("passes on only the variables that Obelisk needs", () => {
    home.setRows([]);
    home.retrieve({}, { environment: { MY_TOKEN: "t", CODEX_HOME: "/x", LOOPX_EXTENSION_DEPTH: "1", LC_ALL: "C" } });
    expect(home.calls()[0]?.variables).toEqual(["CODEX_HOME", "HOME", "LC_ALL", "PATH", "TMPDIR"]);
  });

  test("a long text is cut to what an item holds", () => {
    home.setRows([someRow(`pilot ${"x".repeat(20_000)}`)]);
    expect(home.retrieve().items[0]?.["content"]).toHaveLength(16_000);
  });

  test("a query without a word needs no Obelisk", () => {
    expect(home.retrieve({ query: "?!" })).toMatchObject({ exitCode: 0, response: { status: "completed", items: [] } });
    expect(home.calls()).toEqual([]);
  });

  test("the session that asks is left out before Obelisk is started", () => {
    verifies("obelisk.exact-session");
    home.setRows([someRow("The pilot")]);
    const { response } = home.retrieve({}, { environment: { CODEX_THREAD_ID: THREAD } });
    expect(response).toMatchObject({ status: "unavailable", reason_code: "session_is_invoking", items: [] });
    expect(home.calls()).toEqual([]);
    expect(home.retrieve({}, { environment: { CODEX_THREAD_ID: `${THREAD}0` } }).items).toHaveLength(1);
  });

  test.each(["host-session:claude-code:a", "codex://threads/a", "host-session:codex:a b", "host-session:codex:../a"])(
    "takes no other scope: %s",
    (scope) => {
      expect(home.retrieve({ scope_ref: scope }).response).toMatchObject({ reason_code: "scope_unsupported" });
      expect(home.calls()).toEqual([]);
    },
  );
});

describe("an Obelisk that fails", () => {
  test.each([
    ["throw", "obelisk_failed"],
    ["old node", "obelisk_failed"],
    ["undefined", "obelisk_output_invalid"],
    ["log first", "obelisk_output_invalid"],
    ["no objects", "obelisk_output_invalid"],
    ["large", "obelisk_output_too_large"],
    ["endless", "deadline_exceeded"],
  ])("(%s) is an unavailable answer with a reason, and leaves no file", (mode, reason) => {
    home.setRows([someRow("The pilot")], mode);
    expect(home.retrieve({ timeout_seconds: 2 })).toMatchObject({
      exitCode: 0,
      response: { ok: true, status: "unavailable", reason_code: reason, items: [] },
    });
    expect(home.listTemporary()).toEqual([]);
  });

  test("that isn't there is an unavailable answer too", () => {
    const options = { environment: { PATH: join(home.folder, "tmp") } };
    expect(home.retrieve({}, options).response).toMatchObject({ reason_code: "obelisk_not_found" });
    expect(home.doctor(options)).toBe(1);
  });

  test("leaves no file when the provider is told to end", async () => {
    home.setRows([someRow("The pilot")], "endless");
    const child = home.start();
    while (home.calls().length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    expect(home.listTemporary()).toHaveLength(1);
    child.kill("SIGTERM");
    await once(child, "exit");
    expect(home.listTemporary()).toEqual([]);
  });

  test("is found by the doctor", () => {
    for (const mode of ["old node", "silent"]) {
      home.setRows([], mode);
      expect(home.doctor()).toBe(1);
    }
  });

  test("another one can be named, and any other word is refused", () => {
    home.setRows([someRow("The pilot")]);
    const args = [`--obelisk-bin=${join(home.folder, "bin", "obelisk")}`];
    expect(home.doctor({ args })).toBe(0);
    expect(home.retrieve({}, { args }).items).toHaveLength(1);
    expect(home.doctor({ args: ["--obelisk-bin=/nowhere/obelisk"] })).toBe(1);
    expect(home.doctor({ args: ["--build"] })).toBe(1);
  });
});
