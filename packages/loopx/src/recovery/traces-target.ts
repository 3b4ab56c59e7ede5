import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Ambient } from "@loopx/contracts";
import { saveRecoveredTraces, TRACE_MIGRATIONS } from "@loopx/runtime-context";
import { toNoTracesError } from "../context/trace-place.ts";
import { TRACE_FILE } from "../context/trace-store-place.ts";
import type { RecoveryTarget } from "./recover-store.ts";

/** The trace store in a folder. Refuses with `store_missing`. */
export function toTracesTarget(folder: string, ambient: Ambient): RecoveryTarget {
  const path = join(resolve(ambient.cwd, folder), TRACE_FILE);
  if (!existsSync(path)) throw toNoTracesError();
  return {
    path,
    label: TRACE_FILE,
    journal: "wal",
    migrations: TRACE_MIGRATIONS,
    mayBeRow: () => true,
    fill: (database, salvaged) => database.write((tx) => saveRecoveredTraces(tx, salvaged)),
  };
}
