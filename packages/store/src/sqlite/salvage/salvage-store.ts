import { copyFileSync, existsSync, linkSync, mkdtempSync, renameSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { LoopxError } from "@loopx/contracts";
import { toFileError } from "../../files/file-errors.ts";
import { syncDirectory } from "../../files/sync-directory.ts";
import type { Migration } from "../../migrations.ts";
import { SIDE_FILE_SUFFIXES } from "../inspect-store-file.ts";
import { loadSqliteDriver } from "../load-sqlite-driver.ts";
import type { SqliteConnection } from "../sqlite-driver.ts";
import { isLockHeld, type StorePlace } from "../sqlite-errors.ts";
import { salvageRows, type MayBeRow, type SalvagedRows } from "./salvage-rows.ts";

/** A damaged store as it was when its rows were read. */
export interface SalvagedStore extends SalvagedRows {
  /** By size and time; another process may write to a store of which one page is damaged. */
  readonly version: string;
}

/**
 * Reads what can be read of a store's file, from a copy: an interrupted write is undone in it as far as the engine can do so,
 * and the file itself stays as it is.
 */
export function salvageStore(place: StorePlace, migrations: readonly Migration[], mayBeRow: MayBeRow): SalvagedStore {
  const version = toVersion(place);
  const folder = mkdtempSync(join(tmpdir(), "loopx-recover-"));
  try {
    const copy = join(folder, "damaged.db");
    for (const suffix of ["", ...SIDE_FILE_SUFFIXES])
      if (existsSync(place.path + suffix)) copyFileSync(place.path + suffix, copy + suffix);
    bringToRest(copy);
    const { tables, damagedTables, lostPageCount, lostRowCount } = salvageRows(copy, migrations, mayBeRow);
    return { tables, damagedTables, lostPageCount, lostRowCount, version };
  } catch (error) {
    throw toFileError(error, place.label);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Undoes an interrupted write of a store in place, as every writer does, and empties its log. What the engine can't do with a
 * damaged file is left undone. Refuses with `store_busy` while another process writes.
 */
export function settleDamagedStore(place: StorePlace): void {
  try {
    bringToRest(place.path);
  } catch (error) {
    if (isLockHeld(error)) throw toBusyError(place.label);
    throw error;
  }
}

function bringToRest(path: string): void {
  const connection = findWriter(path);
  try {
    connection?.exec("ROLLBACK; PRAGMA wal_checkpoint(TRUNCATE)");
  } catch {
    // What is damaged stays so: the pages are read without the engine.
  } finally {
    connection?.close();
  }
}

/** A connection with the write lock; undefined where the engine doesn't open the file at all. */
function findWriter(path: string): SqliteConnection | undefined {
  let connection: SqliteConnection | undefined;
  try {
    connection = loadSqliteDriver().open(path, { readonly: false });
    connection.exec("BEGIN IMMEDIATE");
    return connection;
  } catch (error) {
    connection?.close();
    if (isLockHeld(error)) throw error;
    return undefined;
  }
}

/**
 * Puts a new file in the place of a damaged one, which stays beside it under `kept`, its journals too.
 *
 * The place is never empty. Refuses with `store_busy`, and changes nothing, where the damaged store was written to since it
 * was read.
 */
export function replaceDamagedStore(
  place: StorePlace,
  { version, incoming, kept }: { readonly version: string; readonly incoming: string; readonly kept: string },
): void {
  let writer: SqliteConnection | undefined;
  try {
    writer = findWriter(place.path);
  } catch {
    throw toBusyError(place.label);
  }
  try {
    if (toVersion(place) !== version) throw toBusyError(place.label);
    // A copy would open and close the file, and with that give up the lock on it.
    linkSync(place.path, kept);
    for (const suffix of SIDE_FILE_SUFFIXES.filter((ending) => ending !== "-shm" && existsSync(place.path + ending)))
      renameSync(place.path + suffix, kept + suffix);
    renameSync(incoming, place.path);
    syncDirectory(dirname(place.path));
  } catch (error) {
    throw toFileError(error, place.label);
  } finally {
    writer?.close();
  }
}

function toVersion({ path, label }: StorePlace): string {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isFile() !== true) {
    throw new LoopxError("store_missing", { message: `${label} is no file that could be read`, hint: "loopx doctor" });
  }
  return `${found.ino} ${found.size} ${found.mtimeMs}`;
}

function toBusyError(label: string): LoopxError {
  return new LoopxError("store_busy", {
    message: `another process writes to ${label}; nothing was changed`,
    hint: "end what uses it, then run the command again",
  });
}
