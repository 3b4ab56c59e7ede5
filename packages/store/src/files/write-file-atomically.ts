import { chmod, open, rename } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { toFileError } from "./file-errors.ts";
import { removeUnfinished } from "./remove-unfinished.ts";
import { syncDirectory } from "./sync-directory.ts";

export interface AtomicWriteOptions {
  /** Permission bits, narrowed by the process's umask unless they are exact. */
  readonly mode: number;
  /** For a file that has its permissions already. */
  readonly isExactMode?: true;
  /** What the file is called in front of a user; its base name when absent. */
  readonly label?: string;
}

/**
 * Replaces a file as a whole: a reader sees the old bytes or the new ones, and a failure half-way leaves the old ones.
 *
 * Durable when the promise settles. Of several writers at once one wins whole. A symbolic link is replaced, not followed: a
 * link inside a cloned repository must not lead the write elsewhere.
 * Refuses with `file_not_writable`, `store_full`.
 */
export async function writeFileAtomically(
  path: string,
  bytes: string | Uint8Array,
  { mode, isExactMode, label = basename(path) }: AtomicWriteOptions,
): Promise<void> {
  const temporaryPath = `${path}.${crypto.randomUUID()}.tmp`;
  try {
    await writeDurably(temporaryPath, bytes, mode);
    if (isExactMode === true) await chmod(temporaryPath, mode);
    await rename(temporaryPath, path);
    syncDirectory(dirname(path));
  } catch (error) {
    removeUnfinished(temporaryPath);
    throw toFileError(error, label);
  }
}

async function writeDurably(path: string, bytes: string | Uint8Array, mode: number): Promise<void> {
  const file = await open(path, "wx", mode);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}
