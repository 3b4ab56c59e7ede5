import { copyFileSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Instant } from "@loopx/contracts";
import { openSqlite, type Database, type SqlValue } from "@loopx/store";
import * as fc from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";
import type { KeyRing } from "../../src/keys/key-ring.ts";
import { listRequestDigests } from "../../src/trace/request-digests.ts";
import { parseTraceQuery } from "../../src/trace/trace-query.ts";
import { toSearchStatement } from "../../src/trace/trace-search.ts";
import { TRACE_MIGRATIONS } from "../../src/trace/trace-schema.ts";
import { openTraceStore, type TraceStore, type TraceStoreOptions } from "../../src/trace/trace-store.ts";
import { createOutcome, NOW } from "../kernel/support-desk.ts";
import { createRing, createTrace, type SampleTurn } from "./sample-trace.ts";

interface World {
  readonly path: string;
  open(options?: Partial<TraceStoreOptions>): Promise<TraceStore>;
  /** A connection beside the store, as somebody with the file has it. */
  openFile(): Promise<Database>;
}

const now = (): Instant => NOW;

function createWorld(): World {
  const directory = mkdtempSync(join(tmpdir(), "loopx-traces-"));
  const path = join(directory, "traces.db");
  const opened: { close(): Promise<void> }[] = [];
  onTestFinished(async () => {
    for (const each of opened) await each.close();
    rmSync(directory, { recursive: true, force: true });
  });
  const keep = <Opened extends { close(): Promise<void> }>(each: Opened): Opened => {
    opened.push(each);
    return each;
  };
  return {
    path,
    open: async (options = {}) =>
      keep(await openTraceStore({ path, ring: createRing(), writer: "writer-a", audit: "required", now, ...options })),
    openFile: async () =>
      keep(
        await openSqlite({ path, label: "traces", access: "write", journal: "wal", migrations: TRACE_MIGRATIONS, now }),
      ),
  };
}

async function record(store: TraceStore, turns: readonly SampleTurn[], ring?: KeyRing): Promise<void> {
  for (const turn of turns) await store.record(createTrace(turn, ring));
  await store.flush();
}

async function listIds(store: TraceStore, raw: Record<string, string>): Promise<readonly string[]> {
  const { traces } = await store.search(parseTraceQuery(raw));
  return traces.map(({ id }) => id);
}

async function listFound(store: TraceStore, ring: KeyRing, value: string): Promise<readonly string[]> {
  const lookup = { provider: "customer-data", key: "customerId", value };
  const query = { provider: "customer-data", limit: 50, requestDigests: listRequestDigests(ring, lookup) };
  return (await store.search(query)).traces.map(({ id }) => id);
}

async function tamper(world: World, sql: string, ...parameters: SqlValue[]): Promise<void> {
  const database = await world.openFile();
  expect(await database.write((tx) => tx.run(sql, ...parameters))).toBeGreaterThan(0);
}

const TIMEOUT = createOutcome({ status: "TIMEOUT" });

describe("writing", () => {
  test("a trace comes back as it was written", async () => {
    const store = await createWorld().open();
    const sample = createTrace({ id: "trace-7" });
    await store.record(sample);
    expect(await store.find("trace-7")).toEqual(sample.trace);
    expect(await store.find("trace-8")).toBeUndefined();
    expect(store.status).toEqual({ storedCount: 1, pendingCount: 0, lostCount: 0, lastLossCode: null });
  });

  test("with a required audit a trace is durable when its turn goes on", async () => {
    const world = createWorld();
    const store = await world.open();
    await store.record(createTrace({ id: "trace-1" }));
    const beside = await world.openFile();
    expect(await beside.read((tx) => tx.get("SELECT trace_id AS id FROM traces"))).toEqual({ id: "trace-1" });
  });

  test("with a required audit a trace that can't be written fails its turn", async () => {
    const store = await createWorld().open();
    await store.record(createTrace({ id: "trace-1" }));
    await expect(store.record(createTrace({ id: "trace-1" }))).rejects.toMatchObject({ code: "store_failed" });
    expect(store.status).toMatchObject({ storedCount: 1, lostCount: 1, lastLossCode: "store_failed" });
  });

  test("otherwise a turn doesn't wait, and a loss takes no other trace with it and is counted", async () => {
    const store = await createWorld().open({ audit: "best_effort" });
    for (const id of ["trace-1", "trace-2", "trace-1", "trace-3"]) await store.record(createTrace({ id }));
    expect(store.status).toMatchObject({ storedCount: 0, pendingCount: 4 });
    await store.flush();
    expect(store.status).toEqual({ storedCount: 3, pendingCount: 0, lostCount: 1, lastLossCode: "store_failed" });
    expect(await store.verify()).toMatchObject([{ verdict: { ok: true, count: 3 } }]);
  });

  test("traces are written without anybody asking for it", async () => {
    const store = await createWorld().open({ audit: "best_effort" });
    await store.record(createTrace({ id: "trace-1" }));
    await expect.poll(() => store.status.storedCount).toBe(1);
    await store.record(createTrace({ id: "trace-2" }));
    await expect.poll(() => store.status.storedCount).toBe(2);
  });

  test("what comes while a batch is written isn't left behind", async () => {
    const store = await createWorld().open();
    const ids = Array.from({ length: 120 }, (_, index) => `trace-${index}`);
    await Promise.all(ids.map((id) => store.record(createTrace({ id }))));
    expect(store.status).toMatchObject({ storedCount: 120, pendingCount: 0 });
  });

  test("closing writes what is pending", async () => {
    const world = createWorld();
    const store = await world.open({ audit: "best_effort" });
    await store.record(createTrace({ id: "trace-1" }));
    await store.close();
    expect((await (await world.open()).find("trace-1"))?.id).toBe("trace-1");
  });

  test("a writer's name that could be taken for two is refused", async () => {
    await expect(createWorld().open({ writer: "a/2026-11" })).rejects.toMatchObject({ code: "invalid_id" });
  });
});

describe("search", () => {
  test("finds by every filter and by several at once, latest first", async () => {
    const store = await createWorld().open();
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
    const store = await createWorld().open();
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
    const store = await createWorld().open();
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

  test.each([
    [{ provider: "customer-data" }],
    [{ provider: "customer-data", providerStatus: "TIMEOUT" }],
    [{ providerStatus: "TIMEOUT" }],
    [{ layer: "orders" }],
    [{ objective: "resolve-ticket" }],
    [{ consumer: "support-agent" }],
    [{ outcome: "BLOCKED" }],
    [{ since: "2026-11-01T00:00:00Z", until: "2026-12-01T00:00:00Z" }],
    [{ provider: "customer-data", since: "2026-11-01T00:00:00Z" }],
    [{ provider: "customer-data", providerStatus: "TIMEOUT", layer: "orders", cursor: "before-9" }],
  ])("%j reads an index in its order: no scan of a table, no sorting", async (raw) => {
    const world = createWorld();
    await world.open();
    const { sql, parameters } = toSearchStatement(parseTraceQuery(raw));
    const database = await world.openFile();
    const plan = await database.read((tx) =>
      tx.all<{ readonly detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, ...parameters),
    );
    const details = plan.map(({ detail }) => detail);
    expect(details.length).toBeGreaterThan(0);
    // A subquery here has two rows.
    for (const detail of details) expect(detail).not.toMatch(/^SCAN (?!\(subquery-\d+\)$)|TEMP B-TREE/);
    const times = Object.keys(raw).filter((name) => name === "since" || name === "until");
    const near = details.filter((detail) => detail.includes("traces_by_time"));
    expect(near).toHaveLength(times.length);
    // Ten minutes of traces, whatever time is asked for.
    for (const detail of near) expect(detail).toMatch(/^SEARCH .*\(at>\? AND at<\?\)$/);
    expect(
      details.filter((detail) => /^SEARCH trace_spans USING PRIMARY KEY \(span[<>]\?\)/.test(detail)),
    ).toHaveLength(times.length);
  });
});

function toMoment(minute: number): string {
  return new Date(Date.parse("2026-11-30T21:00:00Z") + minute * 60_000).toISOString();
}

describe("a search by time", () => {
  const minutes = fc.integer({ min: 0, max: 45 });

  test("finds what a look at every trace finds, whatever the clocks of the writers did", async () => {
    const world = createWorld();
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
        const expected = ats.flatMap((at, index) => (at >= since && at < until ? [`trace-${index}`] : [])).toReversed();
        const query = { ...times, limit: "200", ...(isByProvider ? { provider: "customer-data" } : {}) };
        expect(await listIds(store, query)).toEqual(expected);
      }),
    );
  });

  test("works on a store that was filled before spans were written", async () => {
    const world = createWorld();
    const [first] = TRACE_MIGRATIONS;
    const early = await openSqlite({
      path: world.path,
      label: "traces",
      access: "write",
      journal: "wal",
      create: true,
      migrations: first === undefined ? [] : [first],
      now,
    });
    const { trace, json } = createTrace({ id: "trace-old" });
    await early.write((tx) =>
      tx.run(
        `INSERT INTO traces (position, trace_id, chain, sequence, mac, at, objective, consumer, outcome, summary, document)
         VALUES (7, 'trace-old', 'c', 1, 'm', ?, 'o', 'c', 'READY', ?, ?)`,
        trace.at,
        JSON.stringify({ id: "trace-old" }),
        json,
      ),
    );
    await early.close();
    const store = await world.open();
    expect(await listIds(store, { since: trace.at })).toEqual(["trace-old"]);
    expect(await listIds(store, { until: trace.at })).toEqual([]);
  });

  test("finds the requests of a store that was filled before their digests had a column", async () => {
    const world = createWorld();
    const early = await openSqlite({
      path: world.path,
      label: "traces",
      access: "write",
      journal: "wal",
      create: true,
      migrations: TRACE_MIGRATIONS.slice(0, 2),
      now,
    });
    const { trace, json } = createTrace({ id: "trace-old" });
    const rows: [string, ...SqlValue[]][] = [
      [
        `INSERT INTO traces (position, trace_id, chain, sequence, mac, at, objective, consumer, outcome, summary, document)
         VALUES (7, 'trace-old', 'c', 1, 'm', ?, 'o', 'c', 'READY', ?, ?)`,
        trace.at,
        JSON.stringify({ id: "trace-old" }),
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
    const store = await createWorld().open();
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

async function createFilledWorld(): Promise<World> {
  const world = createWorld();
  const store = await world.open();
  await record(
    store,
    Array.from({ length: 5 }, (_, index) => ({ id: `trace-${index + 1}` })),
  );
  await store.close();
  return world;
}

describe("tampering with the file", () => {
  const CHAIN = { writer: "writer-a", partition: "2026-11", keyId: "key_a" };

  test("nothing is found where nothing was done", async () => {
    const store = await (await createFilledWorld()).open();
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
    const world = await createFilledWorld();
    await tamper(world, sql);
    const store = await world.open();
    expect(await store.verify()).toEqual([{ ...CHAIN, verdict: { ok: false, firstBadSequence, problem } }]);
  });

  test("a tail that is cut from the chain of a key that was rotated since shows", async () => {
    const world = await createFilledWorld();
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
    const world = await createFilledWorld();
    await tamper(world, "DELETE FROM traces WHERE sequence > 3");
    await tamper(world, "UPDATE trace_chains SET entry_count = 3, mac = (SELECT mac FROM traces WHERE sequence = 3)");
    const store = await world.open();
    await expect(store.record(createTrace({ id: "trace-6" }))).rejects.toMatchObject({ code: "store_corrupt" });
    expect(await store.verify()).toMatchObject([{ verdict: { firstBadSequence: 4, problem: "HEAD_ALTERED" } }]);
  });
});

describe("a store whose file goes while it is open", () => {
  test.each([
    ["deleted", (path: string) => rmSync(path)],
    ["replaced", (path: string) => (renameSync(path, `${path}.old`), copyFileSync(`${path}.old`, path))],
  ])("loses what comes after it was %s, and says so", async (_how, take) => {
    const world = createWorld();
    const store = await world.open({ audit: "best_effort" });
    await record(store, [{ id: "trace-1" }]);
    take(world.path);
    await record(store, [{ id: "trace-2" }, { id: "trace-3" }]);
    expect(store.status).toMatchObject({ storedCount: 1, lostCount: 2, lastLossCode: "store_missing" });
    const audited = { ring: createRing(), audit: "required" as const };
    await expect(store.record(createTrace({ id: "trace-4" }), audited)).rejects.toMatchObject({
      code: "store_missing",
    });
  });
});

describe("chains", () => {
  test("each writer, month and key has its own", async () => {
    const world = createWorld();
    const turns = [{ id: "a1" }, { id: "a2", at: "2026-12-01T00:00:00.000Z" }, { id: "a3" }];
    await record(await world.open({ writer: "writer-a" }), turns);
    await record(await world.open({ writer: "writer-b" }), [{ id: "b1" }]);
    const rotated = createRing([
      { id: "key_a", state: "verify_only", byte: 1 },
      { id: "key_b", state: "active", byte: 2 },
    ]);
    const store = await world.open({ ring: rotated });
    await record(store, [{ id: "a4" }], rotated);
    const found = (await store.verify()).map(({ writer, partition, keyId, verdict }) => [
      writer,
      partition,
      keyId,
      verdict,
    ]);
    expect(found).toEqual([
      ["writer-a", "2026-11", "key_a", { ok: true, count: 2 }],
      ["writer-a", "2026-11", "key_b", { ok: true, count: 1 }],
      ["writer-a", "2026-12", "key_a", { ok: true, count: 1 }],
      ["writer-b", "2026-11", "key_a", { ok: true, count: 1 }],
    ]);
  });

  test("traces of another deployment go to a chain of their own, which only its keys check", async () => {
    const world = createWorld();
    const [own, other] = [createRing(), createRing(undefined, "staging")];
    const store = await world.open({ ring: own, audit: "best_effort" });
    const traces = ["a1", "b1", "a2", "b2"].map((id, index) => {
      const signer = { ring: index % 2 === 0 ? own : other, audit: "best_effort" as const };
      return store.record(createTrace({ id }, signer.ring), signer);
    });
    await Promise.all(traces);
    await store.flush();
    expect(store.status).toMatchObject({ storedCount: 4, lostCount: 0 });
    const whole = { ok: true, count: 2 };
    const foreign = { ok: false, firstBadSequence: 1, problem: "OTHER_DEPLOYMENT" };
    expect(await store.verify()).toMatchObject([
      { writer: "writer-a.2", verdict: foreign },
      { writer: "writer-a", verdict: whole },
    ]);
    expect(await (await world.open({ ring: other })).verify()).toMatchObject([
      { writer: "writer-a.2", verdict: whole },
      { writer: "writer-a", verdict: foreign },
    ]);
  });

  test("a trace whose deployment demands an audit waits for the disk, whatever the first one asked for", async () => {
    const store = await createWorld().open({ audit: "best_effort" });
    await store.record(createTrace({ id: "a1" }), { ring: createRing(), audit: "required" });
    expect(store.status).toMatchObject({ storedCount: 1, lostCount: 0 });
    await store.record(createTrace({ id: "a2" }));
    expect(store.status).toMatchObject({ storedCount: 1, lostCount: 0 });
    await store.flush();
    expect(await store.verify()).toMatchObject([{ verdict: { ok: true, count: 2 } }]);
  });

  test("a writer that starts again goes on with its chain", async () => {
    const world = createWorld();
    for (const id of ["trace-1", "trace-2"]) {
      const store = await world.open();
      await store.record(createTrace({ id }));
      await store.close();
    }
    expect(await (await world.open()).verify()).toMatchObject([{ verdict: { ok: true, count: 2 } }]);
  });
});
