import { createHash } from "node:crypto";
import { lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildSync } from "esbuild";
import { onTestFinished } from "vitest";
import type { SqliteProviderBinding } from "../../../src/binding/deployment-binding.ts";
import type { ProviderClient } from "../../../src/providers/provider-outcome.ts";
import {
  createSqliteProviderClient,
  type SqliteClientParts,
} from "../../../src/providers/sqlite/sqlite-provider-client.ts";
import { CLOCK, REQUIREMENT } from "../provider-cases.ts";
import { openForWriting } from "./open-for-writing.ts";

/** The child as the product ships it: one file. */
export function bundleChild(directory: string): string {
  const outfile = join(directory, "sqlite-child.mjs");
  const entry = new URL("../../../src/providers/sqlite/sqlite-child.ts", import.meta.url).pathname;
  buildSync({ entryPoints: [entry], outfile, bundle: true, platform: "node", format: "esm", logLevel: "error" });
  return outfile;
}

/** A directory of its own, gone when the test is. Anyone may look into it. */
export function createTemporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), "loopx-sqlite-provider-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

export const SUPPORT_DESK = `
  CREATE TABLE customers (id TEXT PRIMARY KEY, customer TEXT NOT NULL, title TEXT, content TEXT NOT NULL, updated TEXT);
  CREATE INDEX customers_by_customer ON customers (customer);
  INSERT INTO customers VALUES
    ('CUST-1042/a', 'CUST-1042', 'Account', 'Renewal is due in March.', '2026-10-08'),
    ('CUST-2000/a', 'CUST-2000', NULL, 'Trial.', NULL);
`;

/** A database with the given schema, closed again. */
export function createDatabase(sql: string, name = "desk.db", directory = createTemporaryDirectory()): string {
  const path = join(directory, name);
  const database = openForWriting(path);
  database.exec(sql);
  database.close();
  return path;
}

export const BINDING: SqliteProviderBinding = {
  type: "sqlite",
  database: "",
  table: "customers",
  columns: { id: "id", content: "content", title: "title", updatedAt: "updated" },
  key: "customer",
  timeoutMs: 10_000,
  maxItems: 100,
  itemBytes: 4096,
  maxAgeSeconds: null,
  retention: "digest",
};

/** A client that is closed when the test is. */
export function openClient(
  childEntry: string,
  binding: Partial<SqliteProviderBinding>,
  parts: Partial<SqliteClientParts> = {},
): ProviderClient {
  const client = createSqliteProviderClient(
    REQUIREMENT,
    { ...BINDING, ...binding },
    { clock: CLOCK, childEntry, ...parts },
  );
  onTestFinished(() => client.close());
  return client;
}

/** Name, kind and mode, time of the last write, and bytes of all that is in a directory. */
export function describeDirectory(directory: string): readonly string[] {
  return readdirSync(directory)
    .toSorted()
    .map((name) => {
      const { mode, ino, size, mtimeNs } = lstatSync(join(directory, name), { bigint: true });
      const digest = createHash("sha256")
        .update(readFileSync(join(directory, name)))
        .digest("hex");
      return [name, mode, ino, size, mtimeNs, digest].join(" ");
    });
}
