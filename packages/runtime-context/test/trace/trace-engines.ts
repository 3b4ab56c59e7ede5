import { randomUUID } from "node:crypto";
import { openSqlite, type Database, type Migration } from "@loopx/store";
import { openPostgres, parsePostgresUrl, type OpenPostgresOptions } from "@loopx/store/postgres";
import { describe, inject } from "vitest";
import { NOW } from "../kernel/support-desk.ts";
import { TRACE_MIGRATIONS } from "../../src/trace/trace-schema.ts";

declare module "vitest" {
  interface ProvidedContext {
    readonly postgres: { readonly url: string } | { readonly reason: string };
  }
}

export type TraceEngine = "sqlite" | "postgres";

/** The same tests on both engines; those on a server are counted as skipped where none could be started. */
export function describeOnEachEngine(tests: (engine: TraceEngine) => void): void {
  describe("in a SQLite file", () => tests("sqlite"));
  describeOnPostgres(() => tests("postgres"));
}

export function describeOnPostgres(tests: () => void): void {
  describe.skipIf(!("url" in inject("postgres")))("on a PostgreSQL server", tests);
}

/** The URL of the server that the tests share. */
export function postgresUrl(): string {
  const provided = inject("postgres");
  return "url" in provided ? provided.url : "postgresql://nobody@127.0.0.1:1/none";
}

export function newSchemaName(): string {
  return `traces_${randomUUID().replaceAll("-", "")}`;
}

export function toPostgresOptions(schema: string): OpenPostgresOptions {
  return {
    address: parsePostgresUrl(postgresUrl(), "store"),
    schema,
    label: "the trace store",
    access: "write",
    migrations: TRACE_MIGRATIONS,
    create: true,
    busyTimeoutMs: 10_000,
    now: () => NOW,
  };
}

/** Where traces are on either engine: a file's path, or a schema's name. */
export function openTraceDatabase(
  engine: TraceEngine,
  place: string,
  migrations: readonly Migration[] = TRACE_MIGRATIONS,
): Promise<Database> {
  if (engine === "postgres") return openPostgres({ ...toPostgresOptions(place), migrations });
  return openSqlite({
    path: place,
    label: "the trace store",
    access: "write",
    journal: "wal",
    migrations,
    create: true,
    now: () => NOW,
  });
}
