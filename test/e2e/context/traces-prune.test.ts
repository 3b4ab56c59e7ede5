import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { readField, readText } from "../../support/read-field.ts";
import { runSql } from "../../support/run-sql.ts";
import { BINDING, createSupportDesk, STORE } from "../../support/support-desk.ts";

const desk = await createSupportDesk();
afterAll(() => desk.remove());

const traces = (...words: readonly string[]) => desk.run(["traces", ...words, STORE, BINDING]);

test("old traces are shown first, then pruned as shown, and the chain says so", async () => {
  await desk.turn();
  await desk.turn();
  const shown = await traces("prune", `--before=${new Date().toISOString()}`);
  expect(shown).toMatchObject({ exitCode: 0, json: { ok: true, traces: 2, pruned: false, left: [] } });
  expect((await traces("verify")).json).toMatchObject({ chains: [{ ok: true, count: 2 }] });
  const later = readText((await desk.turn()).json, "trace_id");
  // The command that it prints means the moment that it showed.
  const [, , ...words] = readText(shown.json, "next", 0).replaceAll("'", "").split(" ");
  expect((await desk.run(words)).json).toMatchObject({ traces: 2, pruned: true, next: [] });
  const verified = await traces("verify");
  expect(verified).toMatchObject({ exitCode: 0, json: { chains: [{ ok: true, count: 1, pruned: { count: 2 } }] } });
  const listed = (await traces("list")).json;
  expect(readField(listed, "traces")).toMatchObject([{ trace_id: later }]);
});

test("a chain that was altered is left, and the command says where to look", async () => {
  runSql(join(desk.folder, "traces", "traces.db"), "UPDATE trace_chains SET mac = 'another'");
  const { exitCode, json } = await traces("prune", `--before=${new Date().toISOString()}`, "--execute");
  expect(exitCode).toBe(1);
  expect(json).toMatchObject({
    ok: false,
    traces: 0,
    left: [{ month: expect.stringMatching(/^\d{4}-\d\d$/) as string }],
  });
  expect(readText(json, "next", 0)).toContain("context traces verify");
});

test.each([
  [[], "missing_flag"],
  [["--before=2026-01-01T00:00:00Z", "--older-than=30d"], "invalid_value"],
  [["--before=2199-01-01T00:00:00Z"], "invalid_value"],
])("it takes one moment that is past: %j", async (flags, code) => {
  expect(await traces("prune", ...flags)).toMatchObject({ exitCode: 2, json: { error: { code } } });
});
