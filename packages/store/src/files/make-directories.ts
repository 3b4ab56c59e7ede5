import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { findFileErrorCode } from "./file-errors.ts";

/**
 * Makes a directory of this mode with all that lead to it; one that is there stays as it is. Throws the system's error.
 *
 * Step by step: with `recursive` Node 20 and 24 never return where a parent is there and takes no new entry, as in `/proc`.
 */
export function makeDirectories(path: string, mode: number): void {
  if (makeDirectory(path, mode)) return;
  makeDirectories(dirname(path), mode);
  if (!makeDirectory(path, mode)) throw Object.assign(new Error("no directory can be made there"), { code: "ENOENT" });
}

/** False where the parent is missing, or says so. */
function makeDirectory(path: string, mode: number): boolean {
  try {
    mkdirSync(path, { mode });
    return true;
  } catch (error) {
    const code = findFileErrorCode(error);
    if (code === "ENOENT" && dirname(path) !== path) return false;
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return true;
    throw error;
  }
}
