import { statSync } from "node:fs";
import { LoopxError } from "@loopx/contracts";

/** Throws `store_missing` once another file, or none, stands where the store was opened. */
export type PlaceCheck = () => void;

/**
 * A file that was deleted or replaced can still be written to as long as it is open, and nobody would ever read what is. SQLite
 * doesn't notice with a write-ahead log.
 */
export function createPlaceCheck(path: string): PlaceCheck {
  const findFile = (): string => {
    const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
    return stats === undefined ? "" : `${stats.dev}:${stats.ino}`;
  };
  const opened = findFile();
  return () => {
    if (findFile() === opened) return;
    throw new LoopxError("store_missing", {
      message: "the trace store is gone, or another file is in its place; the trace was not written",
      hint: "put it back or start the runtime again",
    });
  };
}
