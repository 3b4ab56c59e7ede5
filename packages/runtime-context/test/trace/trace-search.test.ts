import type { SqlValue } from "@loopx/store";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseTraceQuery } from "../../src/trace/trace-query.ts";
import { TRACE_MIGRATIONS } from "../../src/trace/trace-schema.ts";
import { NOW } from "../kernel/support-desk.ts";
import { createRing, createTrace } from "./sample-trace.ts";
import { describeOnEachEngine } from "./trace-engines.ts";
import { createWorld, record, listIds, listFound, TIMEOUT } from "./trace-world.ts";

function toMoment(minute: number): string {
  return new Date(Date.parse("2026-11-30T21:00:00Z") + minute * 60_000).toISOString();
}

describeOnEachEngine((engine) => {
  describe("search", () => {
    test("finds by every filter and by several at once, latest first", async () => {
      const store = await createWorld(engine).open();
      await record(store, [
        { id: "ready", at: "2026-11-01T00:00:00.000Z" },
        { id: "customer-timeout", at: "2026-11-02T00:00:00.000Z", outcomes: { "customer-data": TIMEOUT } },
        {
          id: "both-timeout",
          at: "2026-11-03T00:00:00.000Z",
          outcomes: { "customer-data": TIMEOUT, "order-data": TIMEOUT },
        },
        { id: "report", at: "2026-11-04T00:00:00.000Z", request: { objective: "write-report", consumer: "auditor" } },
        { id: "refused", at: "2026-11-05T00:00:00.000Z", inputs: { customerId: "nobody" } },
      ]);
      const cases: readonly (readonly [Record<string, string>, readonly string[]])[] = [
        [{}, ["refused", "report", "both-timeout", "customer-timeout", "ready"]],
        [{ provider: "order-data" }, ["both-timeout", "customer-timeout", "ready"]],
        [{ provider: "order-data", providerStatus: "TIMEOUT" }, ["both-timeout"]],
        [{ providerStatus: "TIMEOUT" }, ["both-timeout", "customer-timeout"]],
        [{ providerStatus: "INVALID_REQUEST" }, ["refused"]],
        [{ objective: "write-report" }, ["report"]],
        [{ consumer: "support-agent", outcome: "READY" }, ["ready"]],
        [{ outcome: "DEGRADED" }, ["refused", "both-timeout", "customer-timeout"]],
        [{ layer: "orders" }, ["refused", "both-timeout", "customer-timeout", "ready"]],
        [{ layer: "orders", providerStatus: "TIMEOUT" }, ["both-timeout", "customer-timeout"]],
        [{ since: "2026-11-02T00:00:00Z", until: "2026-11-04T00:00:00Z" }, ["both-timeout", "customer-timeout"]],
        [{ provider: "nobody" }, []],
      ];
      for (const [query, ids] of cases) expect(await listIds(store, query), JSON.stringify(query)).toEqual(ids);
    });

    test("a summary names providers and statuses", async () => {
      const store = await createWorld(engine).open();
      await record(store, [{ id: "trace-1", outcomes: { "customer-data": TIMEOUT } }]);
      const { traces } = await store.search(parseTraceQuery({}));
      expect(traces).toEqual([
        {
          id: "trace-1",
          at: NOW,
          objective: "resolve-ticket",
          consumer: "support-agent",
          profile: "default",
          outcome: "DEGRADED",
          durationMs: 13,
          providers: [
            { provider: "customer-data", status: "TIMEOUT", reason: null },
            { provider: "order-data", status: "OK", reason: null },
          ],
        },
      ]);
    });

    test("pages follow one another without gap or repetition while traces are added", async () => {
      const store = await createWorld(engine).open();
      await record(
        store,
        Array.from({ length: 7 }, (_, index) => ({ id: `trace-${index + 1}` })),
      );
      const pages: (readonly string[])[] = [];
      let cursor: string | null = null;
      do {
        const raw: Record<string, string> = {
          provider: "customer-data",
          limit: "3",
          ...(cursor === null ? {} : { cursor }),
        };
        const page = await store.search(parseTraceQuery(raw));
        pages.push(page.traces.map(({ id }) => id));
        cursor = page.nextCursor;
        await record(store, [{ id: `later-${pages.length}` }]);
      } while (cursor !== null);
      expect(pages).toEqual([["trace-7", "trace-6", "trace-5"], ["trace-4", "trace-3", "trace-2"], ["trace-1"]]);
    });
  });

  describe("a search by time", () => {
    const minutes = fc.integer({ min: 0, max: 45 });

    test("finds what a look at every trace finds, whatever the clocks of the writers did", async () => {
      const world = createWorld(engine);
      const store = await world.open();
      const ats = fc.sample(minutes, { numRuns: 60, seed: 7 }).map(toMoment);
      await record(
        store,
        ats.map((at, index) => ({ id: `trace-${index}`, at })),
      );
      const range = fc.record({ since: minutes, until: minutes }, { requiredKeys: [] });
      await fc.assert(
        fc.asyncProperty(range, fc.boolean(), async (asked, isByProvider) => {
          const times = Object.fromEntries(Object.entries(asked).map(([name, minute]) => [name, toMoment(minute)]));
          const { since = "", until = "~" } = times;
          const expected = ats
            .flatMap((at, index) => (at >= since && at < until ? [`trace-${index}`] : []))
            .toReversed();
          const query = { ...times, limit: "200", ...(isByProvider ? { provider: "customer-data" } : {}) };
          expect(await listIds(store, query)).toEqual(expected);
        }),
      );
    });

    test("works on a store that was filled before spans were written", async () => {
      const world = createWorld(engine);
      const [first] = TRACE_MIGRATIONS;
      const early = await world.openBeside(first === undefined ? [] : [first]);
      const { trace, json } = createTrace({ id: "trace-old" });
      await early.write((tx) =>
        tx.run(
          `INSERT INTO traces (position, trace_id, chain, sequence, mac, at, objective, consumer, outcome, summary, document)
         VALUES (7, 'trace-old', 'c', 1, 'm', ?, 'o', 'c', 'READY', ?, ?)`,
          trace.at,
          JSON.stringify({ id: "trace-old", providers: [] }),
          json,
        ),
      );
      await early.close();
      const store = await world.open();
      expect(await listIds(store, { since: trace.at })).toEqual(["trace-old"]);
      expect(await listIds(store, { until: trace.at })).toEqual([]);
    });

    test("finds the requests of a store that was filled before their digests had a column", async () => {
      const world = createWorld(engine);
      const early = await world.openBeside(TRACE_MIGRATIONS.slice(0, 2));
      const { trace, json } = createTrace({ id: "trace-old" });
      const rows: [string, ...SqlValue[]][] = [
        [
          `INSERT INTO traces (position, trace_id, chain, sequence, mac, at, objective, consumer, outcome, summary, document)
         VALUES (7, 'trace-old', 'c', 1, 'm', ?, 'o', 'c', 'READY', ?, ?)`,
          trace.at,
          JSON.stringify({ id: "trace-old", providers: [] }),
          json,
        ],
        ["INSERT INTO trace_providers (provider, position, status) VALUES ('customer-data', 7, 'OK')"],
        [
          `INSERT INTO traces (position, trace_id, chain, sequence, mac, at, objective, consumer, outcome, summary, document)
         VALUES (8, 'trace-damaged', 'c', 2, 'm', ?, 'o', 'c', 'READY', '{}', 'no JSON')`,
          trace.at,
        ],
      ];
      for (const [sql, ...parameters] of rows) await early.write((tx) => tx.run(sql, ...parameters));
      await early.close();
      const store = await world.open();
      expect(await listFound(store, createRing(), "CUST-1042")).toEqual(["trace-old"]);
    });

    test("finds the turns that asked for a value under every key that isn't destroyed, and no other", async () => {
      const store = await createWorld(engine).open();
      const [a, b] = [{ id: "key_a", byte: 1 } as const, { id: "key_b", byte: 2 } as const];
      const rotated = createRing([
        { ...a, state: "verify_only" },
        { ...b, state: "active" },
      ]);
      await record(store, [{ id: "first" }, { id: "other", inputs: { customerId: "CUST-7777" } }]);
      await record(store, [{ id: "second" }], rotated);
      expect(await listFound(store, rotated, "CUST-1042")).toEqual(["second", "first"]);
      const destroyed = createRing([
        { ...a, state: "destroyed" },
        { ...b, state: "active" },
      ]);
      expect(await listFound(store, destroyed, "CUST-1042")).toEqual(["second"]);
      expect(await listFound(store, createRing(undefined, "staging"), "CUST-1042")).toEqual([]);
      expect(await listFound(store, rotated, "CUST-1043")).toEqual([]);
    });
  });
});
