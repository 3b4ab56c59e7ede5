import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { CANARIES, createRecallWorld } from "../../support/recall-world.ts";
import { startWorkstation } from "../../support/workstation-server.ts";

const world = await createRecallWorld();
const server = await startWorkstation(world);
const cookie = await server.signIn();

afterAll(async () => {
  await server.stop();
  world.remove();
});

const noChange = join(world.directory, "no-change.json");
writeFileSync(noChange, '{"semantic_no_change":true}');

async function prepareReview(query: string): Promise<void> {
  const answer = await world.decide("prepare-review", [`--query=${query}`, `--rebase-json=${noChange}`, "--execute"]);
  expect(answer["ok"], JSON.stringify(answer)).toBe(true);
}

async function read(path: string): Promise<unknown> {
  return (await server.ask(path, { headers: { cookie } })).json;
}

test("each advisory provider is shown with its readiness, and what mends one whose program has changed", async () => {
  expect(await read("/api/recall/providers")).toMatchObject({
    providers: [
      { extension_id: "canary-history", enabled: true, doctor_verified: true, status: "ready", command: null },
    ],
    next: [],
  });
  const program = join(world.directory, "canary-history", "provider.mjs");
  chmodSync(program, 0o644);
  expect(await read("/api/recall/providers")).toMatchObject({
    providers: [
      {
        status: "extension_doctor_not_ready",
        next_action: "run_extension_doctor",
        command: "loopx extension doctor --execute canary-history",
      },
    ],
  });
  chmodSync(program, 0o755);
});

test("a receipt that a prepared review keeps is shown with summary and score; content, query and scope are nowhere", async () => {
  expect(await read("/api/recall/receipts")).toMatchObject({ receipts: [], has_more: false });
  await prepareReview(CANARIES.query);
  const answer = await read("/api/recall/receipts");
  expect(answer).toMatchObject({
    receipts: [
      {
        goal_id: "g1",
        decision_id: "d1",
        status: "completed",
        results: [{ summary: "Historical task user", score: 0.5 }],
      },
    ],
  });
  for (const canary of Object.values(CANARIES)) expect(JSON.stringify(answer)).not.toContain(canary);
});

test("a recall that failed shows why", async () => {
  await prepareReview("crash");
  expect(await read("/api/recall/receipts")).toMatchObject({
    receipts: [{ status: "unavailable", reason_code: "provider_retrieval_failed", results: [] }, {}],
  });
});

test("a recall that an agent made for itself is kept nowhere, so no list has it", async () => {
  await world.recall("what did we say");
  const { receipts } = (await read("/api/recall/receipts")) as { receipts: readonly unknown[] };
  expect(receipts).toHaveLength(2);
});
