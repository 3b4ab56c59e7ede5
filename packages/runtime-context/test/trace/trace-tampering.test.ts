import { describe, expect, test } from "vitest";
import { createRing, createTrace } from "./sample-trace.ts";
import { describeOnEachEngine, type TraceEngine } from "./trace-engines.ts";
import { createWorld, record, tamper, type World } from "./trace-world.ts";

async function createFilledWorld(engine: TraceEngine): Promise<World> {
  const world = createWorld(engine);
  const store = await world.open();
  await record(
    store,
    Array.from({ length: 5 }, (_, index) => ({ id: `trace-${index + 1}` })),
  );
  await store.close();
  return world;
}

describeOnEachEngine((engine) => {
  describe("tampering with the store", () => {
    const CHAIN = { writer: "writer-a", partition: "2026-11", keyId: "key_a", isRegistered: true };

    test("nothing is found where nothing was done", async () => {
      const store = await (await createFilledWorld(engine)).open();
      expect(await store.verify()).toEqual([{ ...CHAIN, verdict: { ok: true, count: 5 } }]);
    });

    test.each([
      [
        "a trace is changed",
        "UPDATE traces SET document = REPLACE(document, 'READY', 'BLOCKED') WHERE sequence = 2",
        2,
        "ENTRY_ALTERED",
      ],
      ["a trace is deleted", "DELETE FROM traces WHERE sequence = 3", 3, "ENTRY_MISSING"],
      ["the tail is deleted", "DELETE FROM traces WHERE sequence > 3", 4, "TAIL_MISSING"],
      ["the head is changed", "UPDATE trace_chains SET entry_count = 4", 6, "HEAD_ALTERED"],
      ["the head is deleted", "DELETE FROM trace_chains", 6, "HEAD_ALTERED"],
      [
        "a column of the search is changed",
        "UPDATE traces SET outcome = 'READY ' WHERE sequence = 4",
        4,
        "INDEX_ALTERED",
      ],
      [
        "a list is changed",
        "UPDATE traces SET summary = REPLACE(summary, 'OK', 'TIMEOUT') WHERE sequence = 3",
        3,
        "INDEX_ALTERED",
      ],
      ["a provider is hidden from the search", "DELETE FROM trace_providers WHERE position = 2", 2, "INDEX_ALTERED"],
      [
        "a request is hidden from the search",
        "UPDATE trace_providers SET request_digest = NULL WHERE position = 3",
        3,
        "INDEX_ALTERED",
      ],
      ["a time is hidden from the search", "UPDATE trace_spans SET last_position = 3", 4, "INDEX_ALTERED"],
      [
        "a layer is added to the search",
        "INSERT INTO trace_layers VALUES ('policy', 99), ('zzz', 5)",
        5,
        "INDEX_ALTERED",
      ],
    ])("%s: the first bad trace is named", async (_case, sql, firstBadSequence, problem) => {
      const world = await createFilledWorld(engine);
      await tamper(world, sql);
      const store = await world.open();
      expect(await store.verify()).toEqual([{ ...CHAIN, verdict: { ok: false, firstBadSequence, problem } }]);
    });

    test("a tail that is cut from the chain of a key that was rotated since shows", async () => {
      const world = await createFilledWorld(engine);
      const rotated = createRing([
        { id: "key_a", state: "verify_only", byte: 1 },
        { id: "key_b", state: "active", byte: 2 },
      ]);
      const later = await world.open({ ring: rotated });
      await record(later, [{ id: "trace-6" }, { id: "trace-7" }], rotated);
      await tamper(world, "DELETE FROM traces WHERE trace_id IN ('trace-5', 'trace-7')");
      expect((await later.verify()).map(({ keyId, verdict }) => [keyId, verdict])).toEqual([
        ["key_a", { ok: false, firstBadSequence: 5, problem: "TAIL_MISSING" }],
        ["key_b", { ok: false, firstBadSequence: 2, problem: "TAIL_MISSING" }],
      ]);
    });

    test("a damaged head isn't signed over by the next trace", async () => {
      const world = await createFilledWorld(engine);
      await tamper(world, "DELETE FROM traces WHERE sequence > 3");
      await tamper(world, "UPDATE trace_chains SET entry_count = 3, mac = (SELECT mac FROM traces WHERE sequence = 3)");
      const store = await world.open();
      await expect(store.record(createTrace({ id: "trace-6" }))).rejects.toMatchObject({ code: "store_corrupt" });
      expect(await store.verify()).toMatchObject([{ verdict: { firstBadSequence: 4, problem: "HEAD_ALTERED" } }]);
    });
  });
});
