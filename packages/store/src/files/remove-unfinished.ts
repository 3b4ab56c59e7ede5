import { rmSync } from "node:fs";

/**
 * Takes away what a write has begun, if it is there. What cannot be removed stays: where a name is too long or a folder
 * is none, removing fails too, and it is the first failure that has to be told.
 */
export function removeUnfinished(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // See above.
  }
}
