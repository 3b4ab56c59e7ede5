import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Instant } from "@loopx/contracts";
import { openSqlite, type Database, type SqlValue } from "@loopx/store";
import { expect, onTestFinished } from "vitest";
import type { KeyRing } from "../../src/keys/key-ring.ts";
import { listRequestDigests } from "../../src/trace/request-digests.ts";
import { parseTraceQuery } from "../../src/trace/trace-query.ts";
import { TRACE_MIGRATIONS } from "../../src/trace/trace-schema.ts";
import { openTraceStore, type TraceStore, type TraceStoreOptions } from "../../src/trace/trace-store.ts";
import { createOutcome, NOW } from "../kernel/support-desk.ts";
import { createRing, createTrace, type SampleTurn } from "./sample-trace.ts";

export interface World {
  readonly path: string;
  open(options?: Partial<TraceStoreOptions>): Promise<TraceStore>;
  /** A connection beside the store, as somebody with the file has it. */
  openFile(): Promise<Database>;
}

export const now = (): Instant => NOW;

export function createWorld(): World {
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

export async function record(store: TraceStore, turns: readonly SampleTurn[], ring?: KeyRing): Promise<void> {
  for (const turn of turns) await store.record(createTrace(turn, ring));
  await store.flush();
}

export async function listIds(store: TraceStore, raw: Record<string, string>): Promise<readonly string[]> {
  const { traces } = await store.search(parseTraceQuery(raw));
  return traces.map(({ id }) => id);
}

export async function listFound(store: TraceStore, ring: KeyRing, value: string): Promise<readonly string[]> {
  const lookup = { provider: "customer-data", key: "customerId", value };
  const query = { provider: "customer-data", limit: 50, requestDigests: listRequestDigests(ring, lookup) };
  return (await store.search(query)).traces.map(({ id }) => id);
}

export async function tamper(world: World, sql: string, ...parameters: SqlValue[]): Promise<void> {
  const database = await world.openFile();
  expect(await database.write((tx) => tx.run(sql, ...parameters))).toBeGreaterThan(0);
}

export const TIMEOUT = createOutcome({ status: "TIMEOUT" });
