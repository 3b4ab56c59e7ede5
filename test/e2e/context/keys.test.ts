import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startContextServer } from "../../support/context-server.ts";
import { readField, readText } from "../../support/read-field.ts";
import { runSql } from "../../support/run-sql.ts";
import { BINDING, createSupportDesk, editBinding, STORE } from "../../support/support-desk.ts";

const desk = await createSupportDesk();
const keyset = join(desk.folder, "deployment", "support-desk.keyset.json");
const CUSTOMER = ["--provider=customer-data", "--input=customerId=CUST-1042"];

beforeAll(() => editBinding(desk.folder, (text) => text.replaceAll(/"type": /g, '"retention": "content", "type": ')));
afterAll(() => desk.remove());

const readSecrets = (): readonly string[] =>
  (JSON.parse(readFileSync(keyset, "utf8")) as { keys: { secret?: string }[] }).keys.flatMap(
    ({ secret }) => secret ?? [],
  );

async function recordTurn(): Promise<string> {
  return readText((await desk.turn()).json, "trace_id");
}

async function listFound(...filters: readonly string[]): Promise<readonly unknown[]> {
  const { json } = await desk.run(["traces", "list", STORE, BINDING, ...filters]);
  return (readField(json, "traces") as { trace_id: string }[]).map(({ trace_id: id }) => id);
}

const reproduce = (traceId: string) => desk.run(["reproduce", traceId, STORE, BINDING, "--builds=builds"]);

describe("the keys of a binding", () => {
  test("rotate, find and read what they made, and unlink it when they are destroyed", async () => {
    const first = await recordTurn();
    const old = readText((await desk.run(["keys", "list", BINDING])).json, "keys", 0, "id");
    const rotated = await desk.run(["keys", "rotate", BINDING]);
    expect(rotated).toMatchObject({ exitCode: 0, json: { ok: true, verify_only: [old] } });
    expect([statSync(keyset).mode % 0o1000, existsSync(`${keyset}.lock`)]).toEqual([0o600, false]);
    const second = await recordTurn();
    const listed = await desk.run(["keys", "list", BINDING, STORE]);
    expect(readField(listed.json, "keys")).toMatchObject([
      { id: old, state: "verify_only", traces: 1, contents: 3 },
      { state: "active", traces: 1, contents: 3, created_at: expect.stringMatching(/^\d{4}-/) },
    ]);
    for (const secret of readSecrets()) {
      for (const { stdout } of [listed, rotated]) expect(stdout).not.toContain(secret.slice(0, 8));
    }
    expect(await listFound(...CUSTOMER)).toEqual([second, first]);
    expect(await listFound("--provider=customer-data", "--input=customerId=CUST-1043")).toEqual([]);
    expect((await reproduce(first)).json).toMatchObject({ result: "EXACT" });

    const preview = await desk.run(["keys", "destroy", BINDING, STORE, `--key-id=${old}`]);
    expect(preview.json).toMatchObject({ destroyed: false, unlinked: { traces: 1, contents: 3 } });
    expect((await reproduce(first)).json).toMatchObject({ result: "EXACT" });
    const destroyed = await desk.run(["keys", "destroy", BINDING, `--key-id=${old}`, "--execute"]);
    expect(destroyed).toMatchObject({ exitCode: 0, json: { destroyed: true } });
    expect(await listFound(...CUSTOMER)).toEqual([second]);
    expect(await desk.run(["traces", "list", STORE, BINDING, ...CUSTOMER])).toMatchObject({
      json: { keys_destroyed: true },
    });
    expect(readField((await desk.run(["traces", "list", STORE, BINDING])).json, "keys_destroyed")).toBeUndefined();
    expect((await reproduce(first)).json).toMatchObject({
      result: "LIVE_DEPENDENCY_UNAVAILABLE",
      reason: "key_destroyed",
    });
    expect((await reproduce(second)).json).toMatchObject({ result: "EXACT" });
    expect((await desk.run(["traces", "show", STORE, BINDING, `--trace-id=${first}`])).exitCode).toBe(0);
  });

  test("rotate once when several processes rotate at once", async () => {
    const before = readSecrets();
    const answers = await Promise.all(Array.from({ length: 4 }, () => desk.run(["keys", "rotate", BINDING])));
    const won = answers.filter(({ exitCode }) => exitCode === 0);
    const lost = answers.filter(({ exitCode }) => exitCode !== 0);
    expect(won.length).toBeGreaterThan(0);
    for (const { json } of lost) expect(json).toMatchObject({ error: { code: "keyset_changed", retry: true } });
    // Whoever was told that it won has a key of its own in the file.
    const after = readSecrets();
    expect(after.length - before.length).toBe(won.length);
    expect(after).toEqual(expect.arrayContaining([...before]));
    const actives = won.map(({ json }) => readText(json, "active"));
    const { keys } = JSON.parse(readFileSync(keyset, "utf8")) as { keys: { id: string }[] };
    expect(keys.map(({ id }) => id)).toEqual(expect.arrayContaining(actives));
  });

  test("are left as they are while another process changes them, and where the environment gives them", async () => {
    const text = readFileSync(keyset, "utf8");
    writeFileSync(`${keyset}.lock`, "");
    const locked = await desk.run(["keys", "rotate", BINDING]);
    expect(locked.json).toMatchObject({ error: { code: "keyset_changed" } });
    rmSync(`${keyset}.lock`);
    editBinding(desk.folder, (binding) => binding.replace("file:support-desk.keyset.json", "env:DESK_KEYSET"));
    const given = await desk.run(["keys", "rotate", BINDING], { env: { DESK_KEYSET: text } });
    editBinding(desk.folder, (binding) => binding.replace("env:DESK_KEYSET", "file:support-desk.keyset.json"));
    expect(given.json).toMatchObject({ error: { code: "invalid_value" } });
    expect(readFileSync(keyset, "utf8")).toBe(text);
  });
});

test("a server takes a rotated keyset with SIGHUP, and goes on serving", async () => {
  const server = await startContextServer(desk, []);
  const ask = async (): Promise<string> => {
    const body = JSON.stringify({
      objective: "answer-ticket",
      consumer: "support-agent",
      inputs: { customerId: "CUST-1042", orderId: "ORD-20001" },
    });
    const headers = { "content-type": "application/json" };
    const answer: unknown = await (await fetch(`${server.url}/v1/turns`, { method: "POST", headers, body })).json();
    return readText(answer, "trace_id");
  };
  const first = await ask();
  const active = readText((await desk.run(["keys", "rotate", BINDING])).json, "active");
  const reloaded = server.waitFor("reloaded");
  server.signal("SIGHUP");
  await reloaded;
  const second = await ask();
  server.signal("SIGTERM");
  await server.ended;
  const keyOf = async (traceId: string): Promise<unknown> =>
    readField((await desk.run(["traces", "show", STORE, BINDING, `--trace-id=${traceId}`])).json, "trace", "keyId");
  expect([await keyOf(first), await keyOf(second)]).toEqual([expect.not.stringMatching(active), active]);
  for (const traceId of [first, second]) expect((await reproduce(traceId)).json).toMatchObject({ result: "EXACT" });
  // The chains under both keys are whole; the one under the key that was destroyed before can't be checked any more.
  const chains = readField((await desk.run(["traces", "verify", STORE, BINDING])).json, "chains") as object[];
  const problems = chains.map((chain) => readField(chain, "problem"));
  expect(problems.filter((problem) => problem !== undefined)).toEqual(["KEY_DESTROYED"]);
});

test("kept content whose time is over goes with the next turn that is recorded", async () => {
  const traceId = await recordTurn();
  runSql(
    join(desk.folder, "traces", "traces.db"),
    `UPDATE retained_contents SET expires_at = '2020-01-01T00:00:00.000Z' WHERE trace_id = '${traceId}'`,
  );
  expect((await reproduce(traceId)).json).toMatchObject({ reason: "content_purged" });
  expect((await desk.run(["traces", "purge", STORE, BINDING])).json).toMatchObject({ contents: 3, purged: false });
  await recordTurn();
  expect((await desk.run(["traces", "purge", STORE, BINDING])).json).toMatchObject({ contents: 0 });
  expect((await reproduce(traceId)).json).toMatchObject({ reason: "content_purged" });
});

test("kept content is purged on request, and the trace says so", async () => {
  const traceId = await recordTurn();
  const purge = (...flags: readonly string[]) => desk.run(["traces", "purge", STORE, BINDING, ...flags]);
  expect((await purge()).json).toMatchObject({ contents: 0, purged: false });
  expect((await purge(`--trace-id=${traceId}`)).json).toMatchObject({ contents: 3, purged: false });
  expect((await reproduce(traceId)).json).toMatchObject({ result: "EXACT" });
  expect((await purge(`--trace-id=${traceId}`, "--execute")).json).toMatchObject({ contents: 3, purged: true });
  expect((await reproduce(traceId)).json).toMatchObject({ reason: "content_purged" });
  const shown = await desk.run(["traces", "show", STORE, BINDING, `--trace-id=${traceId}`]);
  expect(readField(shown.json, "trace", "providers", 0)).toMatchObject({
    contentRetained: false,
    contentPurgedAt: expect.stringMatching(/^\d{4}-/),
  });
});
