import { closeSync, lstatSync, openSync, readSync, statSync, type Stats } from "node:fs";
import { LoopxError } from "@loopx/contracts";
import { toStoreError, type StorePlace } from "./sqlite-errors.ts";

const MARKER = /^<{7}(?: |\r?$)/m;
const INSPECTED_BYTE_COUNT = 65_536;

/**
 * True when there is a file that may be a store, false when there is nothing.
 *
 * Refuses with `store_corrupt` an empty file, which the engine would take for a new database, and what is not a file.
 * Asks without opening: closing a file would drop the locks that another connection of this process has on it.
 */
export function hasStoreFile(place: StorePlace): boolean {
  const found = statStore(place);
  if (!found) return false;
  if (!found.isFile()) throw toDamagedError(`${place.label} is not a file`);
  if (found.size === 0) throw toDamagedError(`${place.label} is empty: its content is lost`);
  return true;
}

/** What SQLite has beside a database while it writes, or when it was killed while it did. */
export const SIDE_FILE_SUFFIXES = ["-journal", "-wal", "-shm"] as const;

/**
 * Checks that what is beside a store under the names of its journals is files. SQLite waits for a pipe there without end,
 * and at a link it says that the store cannot be written. Refuses with `store_failed`.
 */
export function assertSideFiles({ path, label }: StorePlace): void {
  for (const suffix of SIDE_FILE_SUFFIXES) {
    if (lookAt(path + suffix)?.isFile() !== false) continue;
    throw new LoopxError("store_failed", {
      message: `the ${suffix} beside ${label} is a link or no file; nothing was changed`,
      hint: `move ${label}${suffix} away, then run the command again`,
    });
  }
}

/** Undefined also where it cannot be looked at: the opening says why. */
function lookAt(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** The first line that looks like an unresolved git conflict, counted from 1. Only for a file that is not a database. */
export function findConflictMarker(path: string): number | undefined {
  const text = readStart(path);
  const found = MARKER.exec(text);
  return found ? text.slice(0, found.index).split("\n").length : undefined;
}

function statStore(place: StorePlace): ReturnType<typeof statSync> {
  try {
    return statSync(place.path, { throwIfNoEntry: false });
  } catch (error) {
    throw toStoreError(error, place, "open");
  }
}

function toDamagedError(message: string): LoopxError {
  return new LoopxError("store_corrupt", { message: `${message}; nothing was changed`, hint: "loopx doctor" });
}

function readStart(path: string): string {
  const file = openSync(path, "r");
  try {
    const bytes = Buffer.alloc(INSPECTED_BYTE_COUNT);
    return bytes.toString("utf8", 0, readSync(file, bytes));
  } finally {
    closeSync(file);
  }
}
