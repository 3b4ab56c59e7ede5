import { statSync, type BigIntStats } from "node:fs";

/**
 * Whether files changed since they were looked at last, by what the file system says of them: a commit to a store with a
 * rollback journal writes the file itself. Never opens one: closing it would drop the locks that this process holds on it.
 */
export interface ChangeStamps {
  /** True where it changed, came or went since the last look; false at the first. */
  readonly hasChanged: (path: string) => boolean;
  /** Forgets the files that are not among these. */
  readonly keepOnly: (paths: ReadonlySet<string>) => void;
}

/** File systems tell times in ticks: what was written this shortly before a look may be written again within its tick. */
const TICK_MS = 20;

/** `nowMs` is the wall clock, which file times are told by. */
export function createChangeStamps(nowMs: () => number): ChangeStamps {
  const stamps = new Map<string, string>();
  return {
    hasChanged: (path) => {
      const before = stamps.get(path);
      const stamp = readStamp(path, nowMs());
      stamps.set(path, stamp);
      return before !== undefined && before !== stamp;
    },
    keepOnly: (paths) => {
      for (const path of stamps.keys()) if (!paths.has(path)) stamps.delete(path);
    },
  };
}

function readStamp(path: string, nowMs: number): string {
  const file = findFile(path);
  if (file === undefined) return "";
  const mayChangeUnseen = Math.abs(nowMs - Number(file.mtimeMs)) <= TICK_MS;
  return `${file.ino} ${file.size} ${file.mtimeNs}${mayChangeUnseen ? " again" : ""}`;
}

/** What cannot be looked at is as good as gone: the screen that reads it says why. */
function findFile(path: string): BigIntStats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false, bigint: true });
  } catch {
    return undefined;
  }
}
