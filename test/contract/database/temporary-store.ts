import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { toInstant } from "@loopx/contracts";
import {
  loadSqliteDriver,
  openSqlite,
  type Database,
  type OpenSqliteOptions,
  type SqliteDriverName,
} from "@loopx/store";
import { onTestFinished } from "vitest";
import { ITEM_MIGRATIONS } from "./item-migrations.ts";

export const SQLITE_DRIVERS: readonly SqliteDriverName[] = ["node:sqlite", "better-sqlite3"];

export function isDriverMissing(name: SqliteDriverName): boolean {
  try {
    loadSqliteDriver(name);
    return false;
  } catch {
    return true;
  }
}

/** A directory of its own that every user may enter, gone when the test is. */
export function createTemporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), "loopx-store-"));
  chmodSync(directory, 0o755);
  onTestFinished(() => {
    chmodSync(directory, 0o755);
    rmSync(directory, { recursive: true, force: true });
  });
  return directory;
}

/** Opens a store of items, closed when the test is done. */
export async function openItemStore(path: string, options: Partial<OpenSqliteOptions> = {}): Promise<Database> {
  const database = await openSqlite({
    path,
    label: ".loopx/state.db",
    access: "write",
    journal: "rollback",
    create: true,
    migrations: ITEM_MIGRATIONS,
    busyTimeoutMs: 5_000,
    now: () => toInstant(Date.UTC(2026, 0, 2, 3, 4, 5, 678)),
    ...options,
  });
  onTestFinished(() => database.close());
  return database;
}
