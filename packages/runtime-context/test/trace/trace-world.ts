import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Instant } from "@loopx/contracts";
import type { Database, Migration, SqlValue } from "@loopx/store";
import { expect, onTestFinished } from "vitest";
import type { KeyRing } from "../../src/keys/key-ring.ts";
import { listRequestDigests } from "../../src/trace/request-digests.ts";
import { parseTraceQuery } from "../../src/trace/trace-query.ts";
import {
  createTraceStore,
  openTraceStore,
  type TraceStore,
  type TraceStoreOptions,
} from "../../src/trace/trace-store.ts";
import { createOutcome, NOW } from "../kernel/support-desk.ts";
import { createRing, createTrace, type SampleTurn } from "./sample-trace.ts";
import { newSchemaName, openTraceDatabase, type TraceEngine } from "./trace-engines.ts";

export interface World {
  readonly engine: TraceEngine;
  /** Of the file, or the schema's name. */
  readonly place: string;
  open(options?: Partial<TraceStoreOptions>): Promise<TraceStore>;
  /** A connection beside the store, as somebody with the file or the server has it. */
  openBeside(migrations?: readonly Migration[]): Promise<Database>;
}

export const now = (): Instant => NOW;

export function createWorld(engine: TraceEngine): World {
  const directory = mkdtempSync(join(tmpdir(), "loopx-traces-"));
  const place = engine === "sqlite" ? join(directory, "traces.db") : newSchemaName();
  const opened: { close(): Promise<void> }[] = [];
  onTestFinished(async () => {
    for (const each of opened) await each.close();
    rmSync(directory, { recursive: true, force: true });
  });
  const keep = <Opened extends { close(): Promise<void> }>(each: Opened): Opened => {
    opened.push(each);
    return each;
  };
  const open = async (options: Partial<TraceStoreOptions>): Promise<TraceStore> => {
    const recording = { ring: createRing(), writer: "writer-a", audit: "required", now, ...options } as const;
    if (engine === "sqlite") return openTraceStore({ path: place, ...recording });
    return createTraceStore(await openTraceDatabase(engine, place), recording);
  };
  return {
    engine,
    place,
    open: async (options = {}) => keep(await open(options)),
    openBeside: async (migrations) => keep(await openTraceDatabase(engine, place, migrations)),
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
  const database = await world.openBeside();
  expect(await database.write((tx) => tx.run(sql, ...parameters))).toBeGreaterThan(0);
}

export const TIMEOUT = createOutcome({ status: "TIMEOUT" });
