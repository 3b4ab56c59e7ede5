import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runSql } from "../../support/run-sql.ts";
import { createRecallWorld, type Packet, type RecallWorld } from "../../support/recall-world.ts";

let world: RecallWorld;

/** Makes a layer of the scaffolded Context Project the profile's only source. */
function useLayer(layer: string): void {
  const profile = JSON.parse(readFileSync(world.profile, "utf8")) as Record<string, unknown>;
  const config = {
    build: join(world.directory, "builds", "current"),
    binding: join(world.directory, "binding", "context-binding.json"),
    objective: "answer-ticket",
    consumer: "support-agent",
    inputs: { customerId: "CUST-1042", orderId: "ORD-20001" },
  };
  const [source] = profile["sources"] as readonly object[];
  const changed = {
    ...profile,
    source_provider_bindings: [{ provider_id: "desk", adapter: "runtime-context", config }],
    sources: [{ ...source, provider_id: "desk", private_locator: layer }],
  };
  writeFileSync(world.profile, JSON.stringify(changed));
}

async function scan(): Promise<unknown> {
  const packet: Packet = await world.decide("prepare-evidence");
  return (packet["assembly"] as { source_scan_receipts: readonly unknown[] }).source_scan_receipts[0];
}

beforeAll(async () => {
  world = await createRecallWorld();
  const [project, builds, binding] = ["context", "builds", "binding"].map((name) => join(world.directory, name));
  await world.call(["context", "init", `--output=${project}`, "--id=desk", `--binding-dir=${binding}`]);
  // The scaffold's customer data is behind a secret and a server that isn't there.
  const file = join(binding ?? "", "context-binding.json");
  writeFileSync(file, readFileSync(file, "utf8").replace('"secret": "env:CRM_TOKEN",', ""));
  chmodSync(file, 0o600);
  await world.call(["context", "build", `--output=${builds}`, `--project=${project}`]);
});
afterAll(() => world.remove());

test("a layer whose provider answers is read exactly, and changes only when its facts do", async () => {
  useLayer("order-status");
  const first = await scan();
  expect(first).toMatchObject({
    status: "completed",
    changed_count: 1,
    exact_read_count: 1,
    provider_version: "context-provider.v1",
  });
  const noChange = join(world.directory, "no-change.json");
  writeFileSync(noChange, '{"semantic_no_change":true}');
  await world.decide("prepare-review", [`--rebase-json=${noChange}`, "--execute"]);
  const words = ["--reason-code=reviewed", "--summary=Nothing changed", "--execute"];
  expect(await world.decide("settle-review", words)).toMatchObject({ disposition: "no_change" });
  expect(await scan()).toMatchObject({ status: "no_change" });
  runSql(join(world.directory, "binding", "orders.db"), "UPDATE orders SET summary = 'Lost on the way.'");
  expect(await scan()).toMatchObject({ status: "completed", changed_count: 1 });
});

test("a layer whose facts cannot be had is a failed scan, never no change, and leaves the evidence incomplete", async () => {
  useLayer("customer-profile");
  const packet = await world.decide("prepare-evidence");
  expect(packet["assembly"]).toMatchObject({
    source_scan_receipts: [{ status: "failed", reason_code: "layer_unavailable" }],
    source_coverage: { complete: false, incomplete_required_source_ids: ["source:authority"] },
    semantic_rebase: { status: "incomplete", quiet_noop_allowed: false },
  });
});

test("a layer that the profile does not have is unavailable", async () => {
  useLayer("order-statis");
  expect(await scan()).toMatchObject({ status: "unavailable", reason_code: "provider_scan_failed" });
});
