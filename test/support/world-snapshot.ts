import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { World } from "./cli-world.ts";

export interface WorldSnapshot {
  /** Puts the world back, file by file, where it was. */
  readonly restore: () => void;
  readonly remove: () => void;
}

/** Copies the files of a world that nothing runs in. */
export function takeSnapshot(world: World): WorldSnapshot {
  const copy = mkdtempSync(join(tmpdir(), "loopx-snapshot-"));
  cpSync(world.directory, copy, { recursive: true, preserveTimestamps: true });
  return {
    restore: () => {
      rmSync(world.directory, { recursive: true, force: true });
      cpSync(copy, world.directory, { recursive: true, preserveTimestamps: true });
    },
    remove: () => rmSync(copy, { recursive: true, force: true }),
  };
}
