import { closeSync, existsSync, openSync } from "node:fs";
import { LoopxError } from "@loopx/contracts";
import { toFileError } from "../files/file-errors.ts";
import { publishNewFile } from "../files/publish-new-file.ts";
import { removeUnfinished } from "../files/remove-unfinished.ts";
import { WRITER_SETTINGS } from "./connection-settings.ts";
import { SIDE_FILE_SUFFIXES } from "./inspect-store-file.ts";
import { migrateSqlite, type MigrationPlan } from "./migrate-sqlite.ts";
import { SqliteDatabase } from "./sqlite-database.ts";
import type { SqliteDriver } from "./sqlite-driver.ts";
import { findSqliteCode, toStoreError, type StorePlace } from "./sqlite-errors.ts";

/**
 * Creates a store with its whole schema, mode 0600; when another process creates it first, that one stays.
 *
 * It is built beside its place and then given its name: a kill at any moment leaves no store or a whole one, and a file of
 * zero bytes under that name is never an unfinished creation.
 */
export async function createSqlite(
  driver: SqliteDriver,
  plan: MigrationPlan,
  journal: "rollback" | "wal",
): Promise<void> {
  const { path, label } = plan.place;
  assertNoOrphan(plan.place);
  const unfinished = `${path}.${crypto.randomUUID()}.new`;
  try {
    closeSync(openSync(unfinished, "wx", 0o600));
    await buildSchema(driver, { ...plan, place: { path: unfinished, label } }, journal);
    publishNewFile(unfinished, path);
  } catch (error) {
    throw findSqliteCode(error) === undefined
      ? toFileError(error, label)
      : toStoreError(error, { path: unfinished, label }, "write");
  } finally {
    for (const suffix of ["", ...SIDE_FILE_SUFFIXES]) removeUnfinished(unfinished + suffix);
  }
}

// SQLite would roll the journal of a store that is gone back into the new store.
// Looked for before the store: a journal that is there first and then no store cannot belong to one that another process has just created.
function assertNoOrphan({ path, label }: StorePlace): void {
  const suffix = SIDE_FILE_SUFFIXES.find((candidate) => existsSync(path + candidate));
  if (suffix === undefined || existsSync(path)) return;
  throw new LoopxError("store_corrupt", {
    message: `${label} is gone but its ${label}${suffix} is left; nothing was changed`,
    hint: `restore ${label}, or move ${label}${suffix} away`,
  });
}

async function buildSchema(driver: SqliteDriver, plan: MigrationPlan, journal: "rollback" | "wal"): Promise<void> {
  const connection = driver.open(plan.place.path, { readonly: false });
  const database = new SqliteDatabase({ connection, place: plan.place, isWritable: true, busyTimeoutMs: 0 });
  try {
    connection.exec(WRITER_SETTINGS);
    if (journal === "wal") connection.exec("PRAGMA journal_mode = WAL");
    await migrateSqlite(database, connection, plan);
  } finally {
    await database.close();
  }
}
