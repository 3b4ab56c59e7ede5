import { closeSync, fsyncSync, openSync, writeFileSync } from "node:fs";
import { publishNewFile } from "./publish-new-file.ts";
import { removeUnfinished } from "./remove-unfinished.ts";

/**
 * Writes a file that isn't there: whole and durable, or not at all. False where the name is taken, by a file that stays as it is.
 *
 * `mode` is narrowed by the process's umask. Throws the system's error.
 */
export function writeNewFile(path: string, text: string, mode: number): boolean {
  const unfinished = `${path}.${crypto.randomUUID()}.tmp`;
  try {
    const file = openSync(unfinished, "wx", mode);
    try {
      writeFileSync(file, text);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    return publishNewFile(unfinished, path);
  } catch (error) {
    removeUnfinished(unfinished);
    throw error;
  }
}
