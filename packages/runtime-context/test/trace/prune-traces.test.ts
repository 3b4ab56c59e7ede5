import type { Instant } from "@loopx/contracts";
import { describe, expect, test } from "vitest";
import { verifyEntry } from "../../src/trace/trace-chain.ts";
import type { RetainedContent } from "../../src/trace/retain-content.ts";
import type { TraceStore } from "../../src/trace/trace-store.ts";
import { createRing, createTrace, type SampleTurn } from "./sample-trace.ts";
import { describeOnEachEngine } from "./trace-engines.ts";
import { createWorld, listIds, now, record, tamper, type World } from "./trace-world.ts";

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a brand has to be given somewhere
const toInstant = (text: string): Instant => text as Instant;
const JUNE = toInstant("2026-06-01T00:00:00.000Z");
const OCTOBER = toInstant("2026-10-01T00:00:00.000Z");

/** Turns of May, in order, then as many of the day that the clock says. */
function listTurns(oldCount: number, newCount: number): readonly SampleTurn[] {
  const old = Array.from({ length: oldCount }, (_, index) => ({
    id: `old-${index + 1}`,
    at: `2026-05-20T10:00:00.${String(index).padStart(3, "0")}Z`,
  }));
  return [...old, ...Array.from({ length: newCount }, (_, index) => ({ id: `new-${index + 1}` }))];
}

const sayChains = async (store: TraceStore): Promise<readonly string[]> => {
  const reports = await store.verify();
  return reports.map(({ partition, keyId, verdict }) => {
    if (!verdict.ok) return `${partition} ${keyId} ${verdict.problem} at ${verdict.firstBadSequence}`;
    const gone = "pruned" in verdict && verdict.pruned !== undefined ? `, ${verdict.pruned.count} pruned` : "";
    return `${partition} ${keyId} ${verdict.count}${gone}`;
  });
};

const sayWriters = async (store: TraceStore): Promise<readonly string[]> => {
  const reports = await store.verify();
  return reports.map(({ writer, verdict }) => `${writer} ${verdict.ok ? "whole" : verdict.problem}`);
};

/** Old and new traces in one chain: a month is that of the turn's own time. */
const MIXED: readonly SampleTurn[] = ["01", "02", "03", "20", "21"].map((day) => ({
  id: `day-${day}`,
  at: `2026-06-${day}T00:00:00.000Z`,
}));
const MIDDLE = toInstant("2026-06-10T00:00:00.000Z");

describeOnEachEngine((engine) => {
  const openFilled = async (turns: readonly SampleTurn[]): Promise<{ world: World; store: TraceStore }> => {
    const world = createWorld(engine);
    const store = await world.open();
    await record(store, turns);
    return { world, store };
  };

  describe("pruning", () => {
    test("takes whole chains that are old, says so, and leaves the others", async () => {
      const { store } = await openFilled(listTurns(3, 2));
      expect(await store.countAged(JUNE)).toEqual({ traceCount: 3, left: [] });
      expect(await sayChains(store)).toEqual(["2026-05 key_a 3", "2026-11 key_a 2"]);
      expect(await store.prune(JUNE)).toEqual({ traceCount: 3, left: [] });
      expect(await sayChains(store)).toEqual(["2026-05 key_a 0, 3 pruned", "2026-11 key_a 2"]);
      expect((await store.verify())[0]?.verdict).toEqual({
        ok: true,
        count: 0,
        pruned: { count: 3, before: JUNE, at: now() },
      });
      expect(await listIds(store, {})).toEqual(["new-2", "new-1"]);
      expect(await listIds(store, { until: JUNE })).toEqual([]);
      expect(await store.find("old-1")).toBeUndefined();
      expect(await store.countKeyUses()).toEqual(new Map([["key_a", { traceCount: 2, contentCount: 0 }]]));
      expect(await store.prune(JUNE)).toEqual({ traceCount: 0, left: [] });
    });

    test("takes the beginning of a chain, and the rest goes on from it", async () => {
      const { store } = await openFilled(MIXED);
      expect(await store.prune(MIDDLE)).toEqual({ traceCount: 3, left: [] });
      expect(await sayChains(store)).toEqual(["2026-06 key_a 2, 3 pruned"]);
      await record(store, [{ id: "day-22", at: "2026-06-22T00:00:00.000Z" }]);
      expect(await sayChains(store)).toEqual(["2026-06 key_a 3, 3 pruned"]);
      const first = await store.findRecorded("day-20");
      expect(first && verifyEntry(createRing(), first.chain, first.entry)).toBe("match");
      expect(await store.prune(OCTOBER)).toEqual({ traceCount: 3, left: [] });
      expect(await sayChains(store)).toEqual(["2026-06 key_a 0, 6 pruned"]);
    });

    test("gives no position twice: a page that was begun goes on behind what went", async () => {
      const { store } = await openFilled(listTurns(3, 0));
      const { nextCursor } = await store.search({ limit: 1 });
      await store.prune(JUNE);
      await record(store, [{ id: "later-1" }, { id: "later-2" }]);
      expect((await store.search({ limit: 9, cursor: nextCursor ?? "" })).traces).toEqual([]);
      expect(await listIds(store, { since: "2026-11-01T00:00:00Z" })).toEqual(["later-2", "later-1"]);
      expect(await sayChains(store)).toEqual(["2026-05 key_a 0, 3 pruned", "2026-11 key_a 2"]);
    });

    test("stops at the first trace that is younger: what stands behind it stays, whatever its clock said", async () => {
      const { store } = await openFilled([...MIXED, { id: "late", at: "2026-06-02T00:00:00.000Z" }]);
      expect(await store.countAged(MIDDLE)).toEqual({ traceCount: 3, left: [] });
      expect(await store.prune(MIDDLE)).toEqual({ traceCount: 3, left: [] });
      expect(await sayChains(store)).toEqual(["2026-06 key_a 3, 3 pruned"]);
    });

    test("takes as many as there are, in steps", async () => {
      const world = createWorld(engine);
      const store = await world.open({ audit: "best_effort" });
      await record(store, listTurns(999, 1));
      expect(await store.prune(JUNE)).toEqual({ traceCount: 999, left: [] });
      expect(await sayChains(store)).toEqual(["2026-05 key_a 0, 999 pruned", "2026-11 key_a 1"]);
    });

    test("takes what was kept with its traces, and no more", async () => {
      const { world, store } = await openFilled([]);
      for (const turn of listTurns(2, 1)) {
        await store.record(createTrace(turn), undefined, [createContent("x".repeat(100))]);
      }
      await store.prune(JUNE);
      const beside = await world.openBeside();
      const rows = await beside.read((tx) =>
        tx.all("SELECT (SELECT COUNT(*) FROM retained_contents) AS contents, bytes FROM retained_totals"),
      );
      expect(rows).toEqual([{ contents: 1, bytes: 100 }]);
      const counts = await beside.read((tx) =>
        tx.get(
          `SELECT (SELECT COUNT(*) FROM trace_providers) AS providers, (SELECT COUNT(*) FROM trace_layers) AS layers,
             (SELECT COUNT(*) FROM trace_spans) AS spans`,
        ),
      );
      expect(counts).toEqual({ providers: 2, layers: 3, spans: 1 });
    });

    test("leaves the traces of another deployment, which are OTHER_DEPLOYMENT to this one when it pruned its own", async () => {
      const world = createWorld(engine);
      const store = await world.open();
      const staging = createRing(undefined, "staging");
      const theirs = await world.open({ ring: staging, writer: "writer-b" });
      for (const turn of listTurns(2, 0)) await theirs.record(createTrace({ ...turn, id: `b-${turn.id}` }, staging));
      await record(store, listTurns(1, 0));
      expect(await store.prune(JUNE)).toEqual({ traceCount: 1, left: [] });
      expect(await theirs.prune(JUNE)).toEqual({ traceCount: 2, left: [] });
      expect(await sayWriters(store)).toEqual(["writer-a whole", "writer-b OTHER_DEPLOYMENT"]);
      expect(await sayWriters(theirs)).toEqual(["writer-a OTHER_DEPLOYMENT", "writer-b whole"]);
    });

    test("takes what is under a destroyed key too, which stays a chain that nobody can check", async () => {
      const { world } = await openFilled(listTurns(2, 0));
      const destroyed = createRing([
        { id: "key_a", state: "destroyed", byte: 1 },
        { id: "key_b", state: "active", byte: 2 },
      ]);
      const store = await world.open({ ring: destroyed });
      expect(await store.prune(JUNE)).toEqual({ traceCount: 2, left: [] });
      expect(await sayChains(store)).toEqual(["2026-05 key_a KEY_DESTROYED at 3"]);
    });

    test("under a key that was rotated is signed with that key: who has it still checks both", async () => {
      const { world, store: earlier } = await openFilled(listTurns(2, 0));
      const rotated = createRing([
        { id: "key_a", state: "verify_only", byte: 1 },
        { id: "key_b", state: "active", byte: 2 },
      ]);
      await (await world.open({ ring: rotated })).prune(JUNE);
      expect(await sayChains(earlier)).toEqual(["2026-05 key_a 0, 2 pruned"]);
    });
  });

  describe("what was tampered with", () => {
    const CHAIN = { writer: "writer-a", partition: "2026-06", keyId: "key_a", isRegistered: true };

    test.each([
      [
        "a trace",
        "UPDATE traces SET document = REPLACE(document, 'READY', 'BLOCKED') WHERE sequence = 2",
        1,
        "ENTRY_ALTERED at 2",
      ],
      ["a deletion", "DELETE FROM traces WHERE sequence = 2", 1, "ENTRY_MISSING at 2"],
      ["a head", "UPDATE trace_chains SET entry_count = 9", 0, "HEAD_ALTERED at 6"],
    ])("is not pruned: %s", async (_what, sql, traceCount, problem) => {
      const { world, store } = await openFilled(MIXED);
      await tamper(world, sql);
      expect((await store.prune(MIDDLE)).left).toEqual([CHAIN]);
      expect(await listIds(store, {})).toHaveLength(5 - traceCount - (problem.startsWith("ENTRY_MISSING") ? 1 : 0));
      expect(await sayChains(store)).toEqual([`2026-06 key_a ${problem}`]);
    });

    test("a time that only the search is told makes no trace older", async () => {
      const { world, store } = await openFilled(MIXED);
      await tamper(world, "UPDATE traces SET at = '2026-06-01T00:00:00.000Z'");
      expect(await store.prune(MIDDLE)).toEqual({ traceCount: 3, left: [] });
    });

    test.each([
      ["another number", "UPDATE trace_prunings SET entry_count = 4", "PRUNING_ALTERED at 1"],
      ["a time", "UPDATE trace_prunings SET began_before = '2026-06-30T00:00:00.000Z'", "PRUNING_ALTERED at 1"],
      ["nothing left of it", "DELETE FROM trace_prunings", "ENTRY_MISSING at 1"],
      ["more that is gone", "DELETE FROM traces WHERE sequence = 4", "ENTRY_MISSING at 4"],
    ])("shows in the record of a pruning: %s", async (_what, sql, problem) => {
      const { world, store } = await openFilled(MIXED);
      await store.prune(MIDDLE);
      await tamper(world, sql);
      expect(await sayChains(store)).toEqual([`2026-06 key_a ${problem}`]);
    });

    test("a chain that was pruned whole and is deleted with its record is missing", async () => {
      const { world, store } = await openFilled(listTurns(2, 1));
      await store.prune(JUNE);
      await tamper(world, "DELETE FROM trace_prunings");
      await tamper(world, "DELETE FROM trace_chains WHERE month = '2026-05'");
      expect(await sayChains(store)).toEqual(["2026-11 key_a 1", "2026-05 key_a CHAIN_MISSING at 1"]);
    });
  });
});

function createContent(sealed: string): RetainedContent {
  return {
    provider: "customer-data",
    deployment: "production",
    keyId: "key_a",
    sealed,
    expiresAt: toInstant("2026-12-30T12:00:00.000Z"),
    quotaBytes: 10_000,
  };
}
