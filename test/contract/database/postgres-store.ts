import { randomUUID } from "node:crypto";
import { toInstant } from "@loopx/contracts";
import type { Database } from "@loopx/store";
import { openPostgres, parsePostgresUrl, type OpenPostgresOptions } from "@loopx/store/postgres";
import { Client } from "pg";
import { inject, onTestFinished } from "vitest";
import { ITEM_MIGRATIONS } from "./item-migrations.ts";

/** False where no server could be started here. */
export function isPostgresThere(): boolean {
  return "url" in inject("postgres");
}

/** The URL of the server, as a superuser or as another user. */
export function postgresUrl(login: { readonly user?: string; readonly password?: string } = {}): string {
  const provided = inject("postgres");
  const url = new URL("url" in provided ? provided.url : "postgresql://nobody@127.0.0.1:1/none");
  if (login.user !== undefined) url.username = login.user;
  if (login.password !== undefined) url.password = login.password;
  return url.href;
}

/** The name of a schema that nobody has. */
export function newSchemaName(): string {
  return `loopx_${randomUUID().replaceAll("-", "")}`;
}

/** Runs statements as a superuser, beside any store; resolves to the rows of a single one. */
export async function runOnServer(sql: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const client = new Client(postgresUrl());
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows ?? [];
  } finally {
    await client.end();
  }
}

/** Opens a store of items in a schema, made where it is missing, closed when the test is done. */
export async function openPostgresItems(schema: string, options: Partial<OpenPostgresOptions> = {}): Promise<Database> {
  const database = await openPostgres({
    address: parsePostgresUrl(postgresUrl(), "store.url"),
    schema,
    label: "the project's store",
    access: "write",
    create: true,
    migrations: ITEM_MIGRATIONS,
    busyTimeoutMs: 5_000,
    now: () => toInstant(Date.UTC(2026, 0, 2, 3, 4, 5, 678)),
    ...options,
  });
  onTestFinished(() => database.close());
  return database;
}
