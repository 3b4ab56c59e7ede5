import { statSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";

/** How often the files are looked at. Short beside a person's saving, long beside some hundred stats. */
const LOOK_EVERY_MS = 200;

/** What tells that a file was written or replaced. A file that is not there has a mark too. */
export function markFiles(paths: readonly string[]): string {
  return paths
    .map((path) => {
      const stats = statSync(path, { throwIfNoEntry: false });
      return stats === undefined ? "-" : `${stats.ino} ${stats.size} ${stats.mtimeMs}`;
    })
    .join("\n");
}

/**
 * Waits until a file is no longer as it was marked: true, or false when `signal` aborted first. Looks instead of listening:
 * editors replace files, and not every file system tells.
 */
export async function waitForChange(paths: readonly string[], mark: string, signal: AbortSignal): Promise<boolean> {
  try {
    while (!signal.aborted) {
      if (markFiles(paths) !== mark) return true;
      await pause(LOOK_EVERY_MS, undefined, { signal });
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  return false;
}
