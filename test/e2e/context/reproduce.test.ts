import { readdirSync, readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readText } from "../../support/read-field.ts";
import { BINDING, createSupportDesk, editBinding, STORE } from "../../support/support-desk.ts";
import { verifies } from "../../support/verifies.ts";

const desk = await createSupportDesk();
const CONTENT = ["Enterprise plan", "Two desk lamps", "Late parcel"];

beforeAll(() => editBinding(desk.folder, (text) => text.replaceAll(/"type": /g, '"retention": "content", "type": ')));
afterAll(() => desk.remove());

async function recordTurn(...extra: readonly string[]): Promise<string> {
  return readText((await desk.turn(...extra)).json, "trace_id");
}

const toWords = (traceId: string): readonly string[] => ["reproduce", traceId, STORE, BINDING, "--builds=builds"];
const reproduce = (traceId: string) => desk.run(toWords(traceId));

const TRAP = fileURLToPath(new URL("../../support/fixtures/end-at-any-call.mjs", import.meta.url));
const OFF_NET = { env: { NODE_OPTIONS: `--import=${TRAP}` } };

/** Everything below the desk's folder that a store or a program could have left there. */
function readStoreFiles(): string {
  const folder = join(desk.folder, "traces");
  return readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), "latin1"))
    .join("\n");
}

test("the trap of these tests catches a turn that asks its providers", async () => {
  const asked = ["--objective=answer-ticket", "--consumer=support-agent", "--input=customerId=CUST-1042"];
  expect((await desk.run(["turn", `--build=${desk.build}`, BINDING, ...asked], OFF_NET)).exitCode).toBe(99);
});

describe("a recorded turn", () => {
  test("is EXACT with its providers gone, from content that is nowhere in plain", async () => {
    verifies("reproduction.exact");
    const turn = await desk.turn();
    const traceId = readText(turn.json, "trace_id");
    await desk.crm.stop();
    renameSync(join(desk.folder, "deployment", "orders.db"), join(desk.folder, "deployment", "orders.gone"));
    const again = await desk.run([...toWords(traceId), "--with-text"], OFF_NET);
    expect(again).toMatchObject({ exitCode: 0, json: { ok: true, result: "EXACT", outcome: "READY" } });
    expect(readText(again.json, "rendered")).toBe(readText(turn.json, "rendered"));
    const bytes = readStoreFiles();
    for (const secret of [...CONTENT, "CUST-1042", "ORD-20001"]) expect(bytes).not.toContain(secret);
    expect((await reproduce(traceId)).stdout).not.toContain(CONTENT[0]);
    renameSync(join(desk.folder, "deployment", "orders.gone"), join(desk.folder, "deployment", "orders.db"));
    await desk.restartCrm([]);
  });

  test("of a failing provider is EXACT, too", async () => {
    verifies("reproduction.failures");
    await desk.restartCrm(["--slow=customer-data"]);
    const traceId = await recordTurn();
    await desk.restartCrm([]);
    expect(await desk.run(toWords(traceId), OFF_NET)).toMatchObject({
      exitCode: 0,
      json: { result: "EXACT", outcome: "BLOCKED" },
    });
  });

  test("says why it can't be had exactly, and asks nobody", async () => {
    verifies("reproduction.live-dependency");
    const traceId = await recordTurn();
    expect(await desk.run(["reproduce", traceId, STORE, BINDING, "--builds=deployment"])).toMatchObject({
      exitCode: 1,
      json: { ok: false, result: "LIVE_DEPENDENCY_UNAVAILABLE", reason: "build_missing" },
    });
    editBinding(desk.folder, (text) => text.replaceAll('"retention": "content", ', ""));
    expect(await reproduce(traceId)).toMatchObject({ exitCode: 1, json: { reason: "binding_missing" } });
    const unkept = await recordTurn();
    expect(await desk.run(toWords(unkept), OFF_NET)).toMatchObject({
      exitCode: 1,
      json: { reason: "content_not_retained", provider: "customer-data" },
    });
    expect(await reproduce("trace_nobody")).toMatchObject({ exitCode: 4 });
  });
});
