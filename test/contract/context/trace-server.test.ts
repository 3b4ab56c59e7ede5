import { createTraceStore, TRACE_MIGRATIONS, type TraceStore } from "@loopx/runtime-context";
import type { Database } from "@loopx/store";
import { openPostgresPool, parsePostgresUrl } from "@loopx/store/postgres";
import { describe, expect, onTestFinished, test } from "vitest";
import { createRing, createTrace } from "../../../packages/runtime-context/test/trace/sample-trace.ts";
import { now } from "../../../packages/runtime-context/test/trace/trace-world.ts";
import { startPostgresProxy, type PostgresProxy } from "../../support/postgres-proxy.ts";
import { isPostgresThere, newSchemaName, postgresUrl, runOnServer } from "../database/postgres-store.ts";

interface Served {
  readonly proxy: PostgresProxy;
  readonly schema: string;
  readonly database: Database;
  readonly store: TraceStore;
}

/** A trace store as `context serve` has it, with a way to its server that can be cut. */
async function openServed(audit: "required" | "best_effort" = "required"): Promise<Served> {
  const proxy = await startPostgresProxy(postgresUrl());
  const schema = newSchemaName();
  const database = await openPool(proxy.url, schema);
  const store = createTraceStore(database, { ring: createRing(), writer: "replica-a", audit, now });
  onTestFinished(async () => {
    await store.close();
    await proxy.close();
  });
  return { proxy, schema, database, store };
}

function openPool(url: string, schema: string): Promise<Database> {
  return openPostgresPool({
    address: parsePostgresUrl(url, "store"),
    schema,
    label: "the trace store",
    access: "write",
    migrations: TRACE_MIGRATIONS,
    create: true,
    busyTimeoutMs: 5_000,
    statementTimeoutMs: 5_000,
    now,
  });
}

const WHOLE = (count: number) => [{ verdict: { ok: true, count } }];

describe.skipIf(!isPostgresThere())("traces on a server that goes away", () => {
  test("with a required audit a turn fails while it is away, and writing goes on by itself", async () => {
    const { proxy, store } = await openServed();
    await store.record(createTrace({ id: "trace-1" }));
    proxy.cut();
    const refused = { code: "store_unreachable", hint: expect.stringContaining("--store") as string };
    await expect(store.record(createTrace({ id: "trace-2" }))).rejects.toMatchObject(refused);
    await expect(store.record(createTrace({ id: "trace-3" }))).rejects.toMatchObject({ code: "store_unreachable" });
    expect(store.status).toMatchObject({ storedCount: 1, lostCount: 2, lastLossCode: "store_unreachable" });
    proxy.mend();
    await expect.poll(() => store.record(createTrace({ id: "trace-4" })).then(() => "kept", String)).toBe("kept");
    expect(await store.find("trace-2")).toBeUndefined();
    expect(await store.verify()).toMatchObject(WHOLE(2));
  });

  test("otherwise a loss is counted, and writing goes on by itself", async () => {
    const { proxy, store } = await openServed("best_effort");
    proxy.cut();
    await store.record(createTrace({ id: "trace-1" }));
    await store.flush();
    expect(store.status).toMatchObject({ storedCount: 0, lostCount: 1, lastLossCode: "store_unreachable" });
    proxy.mend();
    let count = 1;
    await expect
      .poll(async () => {
        await store.record(createTrace({ id: `trace-${(count += 1)}` }));
        await store.flush();
        return store.status.storedCount;
      })
      .toBeGreaterThan(0);
    expect(store.status.storedCount + store.status.lostCount).toBe(count);
  });

  test("a server that was started anew between two turns costs none", async () => {
    const { proxy, store } = await openServed();
    await store.record(createTrace({ id: "trace-1" }));
    proxy.cut();
    proxy.mend();
    await store.record(createTrace({ id: "trace-2" }));
    expect((await store.find("trace-2"))?.id).toBe("trace-2");
    expect(store.status).toMatchObject({ storedCount: 2, lostCount: 0 });
  });

  test("while it is away it isn't knocked at by every turn", async () => {
    const { proxy, store } = await openServed();
    proxy.cut();
    const before = proxy.connectionCount;
    const turns = Array.from({ length: 40 }, (_, index) => store.record(createTrace({ id: `trace-${index}` })));
    const ended = await Promise.allSettled(turns);
    for (let index = 0; index < 40; index += 1) await store.find(`trace-${index}`).catch(() => undefined);
    expect(ended.every(({ status }) => status === "rejected")).toBe(true);
    expect(proxy.connectionCount - before).toBeLessThan(40);
  });

  test.each(["kept", "lost"] as const)(
    "a trace whose commit went without an answer and was %s is there once",
    async (fate) => {
      const { proxy, store } = await openServed();
      await store.record(createTrace({ id: "trace-1" }));
      proxy.meetNextCommit(fate);
      await Promise.all(["trace-2", "trace-3"].map((id) => store.record(createTrace({ id }))));
      expect(store.status).toEqual({ storedCount: 3, pendingCount: 0, lostCount: 0, lastLossCode: null });
      expect(await store.verify()).toMatchObject(WHOLE(3));
    },
  );

  test("a commit that reaches the server only after the connection was given up is waited for", async () => {
    const { proxy, schema, store } = await openServed();
    await store.record(createTrace({ id: "trace-1" }));
    proxy.meetNextCommit("late");
    const recorded = store.record(createTrace({ id: "trace-2" }));
    await expect.poll(() => countWaiters(schema)).toBe(1);
    proxy.deliverLate();
    await recorded;
    expect(store.status).toMatchObject({ storedCount: 2, lostCount: 0 });
    expect(await store.verify()).toMatchObject(WHOLE(2));
  });

  test("a search that takes long holds up neither a turn nor another search", async () => {
    const { database, store } = await openServed();
    let isOver = false;
    const search = database.read(async (tx) => {
      while (!isOver) await tx.get("SELECT 1 AS one");
    });
    await store.record(createTrace({ id: "trace-1" }));
    expect((await store.find("trace-1"))?.id).toBe("trace-1");
    isOver = true;
    await search;
  });

  test("a server keeps three connections open at most", async () => {
    const { proxy, store } = await openServed();
    const searches = Array.from({ length: 30 }, () => store.search({ limit: 50 }));
    const turns = Array.from({ length: 30 }, (_, index) => store.record(createTrace({ id: `trace-${index}` })));
    await Promise.all([...searches, ...turns]);
    expect(proxy.connectionCount).toBe(3);
  });
});

describe.skipIf(!isPostgresThere())("a schema of traces that isn't as it was made", () => {
  test.each([
    "ALTER TABLE traces DROP CONSTRAINT traces_trace_id_key",
    "ALTER TABLE retained_contents DROP CONSTRAINT retained_contents_trace_id_provider_key",
    "DROP INDEX trace_providers_by_request",
    "ALTER TABLE trace_spans ADD UNIQUE (last_position)",
    "ALTER TABLE trace_spans ADD CHECK (first_position > 0)",
  ])("is store_corrupt: %s", async (sql) => {
    const { schema } = await openServed();
    await runOnServer(`SET search_path = ${schema}; ${sql}`);
    await expect(openPool(postgresUrl(), schema)).rejects.toMatchObject({ code: "store_corrupt" });
  });
});

describe.skipIf(!isPostgresThere())("two replicas on one store", () => {
  test("write at once, and all chains are whole for both", async () => {
    const { schema, store } = await openServed();
    const other = await openReplica(schema);
    const ids = Array.from({ length: 200 }, (_, index) => `trace-${index}`);
    await Promise.all(ids.map((id, at) => (at % 2 === 0 ? store : other).record(createTrace({ id }))));
    for (const each of [store, other]) {
      const reports = await each.verify();
      expect(reports.map(({ writer, verdict }) => [writer, verdict])).toEqual([
        ["replica-a", { ok: true, count: 100 }],
        ["replica-b", { ok: true, count: 100 }],
      ]);
    }
  });

  test("one that took a rotated keyset and one that hasn't yet keep chains that both keysets' holder checks", async () => {
    const { schema, store } = await openServed();
    const rotated = createRing([
      { id: "key_a", state: "verify_only", byte: 1 },
      { id: "key_b", state: "active", byte: 2 },
    ]);
    const other = await openReplica(schema, rotated);
    await other.record(createTrace({ id: "trace-1" }, rotated));
    await store.record(createTrace({ id: "trace-2" }));
    await other.record(createTrace({ id: "trace-3" }, rotated));
    expect(await sayChains(other)).toEqual(["key_a 1", "key_b 2"]);
    expect(await sayChains(store)).toEqual(["key_a 1", "key_b KEY_UNKNOWN"]);
    const destroyed = createRing([
      { id: "key_a", state: "destroyed", byte: 1 },
      { id: "key_b", state: "active", byte: 2 },
    ]);
    const third = await openReplica(schema, destroyed, "replica-c");
    await third.record(createTrace({ id: "trace-4" }, destroyed));
    // The first one goes on with a key that is destroyed elsewhere: nobody takes its traces for checked.
    await store.record(createTrace({ id: "trace-5" }));
    expect(await sayChains(third)).toEqual(["key_a KEY_DESTROYED", "key_b 2", "key_b 1"]);
  });
});

async function sayChains(from: TraceStore): Promise<readonly string[]> {
  const reports = await from.verify();
  return reports.map(({ keyId, verdict }) => `${keyId} ${verdict.ok ? verdict.count : verdict.problem}`);
}

async function openReplica(schema: string, ring = createRing(), writer = "replica-b"): Promise<TraceStore> {
  const store = createTraceStore(await openPool(postgresUrl(), schema), { ring, writer, audit: "required", now });
  onTestFinished(() => store.close());
  return store;
}

async function countWaiters(schema: string): Promise<number> {
  const [row] = await runOnServer(
    `SELECT count(*)::int AS count FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
       AND (classid::bigint << 32 | objid::bigint) = hashtextextended('loopx:${schema}', 0)`,
  );
  return Number(row?.["count"]);
}
