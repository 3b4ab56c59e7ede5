import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { LoopxError, type Ambient } from "@loopx/contracts";
import type { RowsByTable } from "@loopx/control-plane";
import {
  openSqlite,
  removeEntry,
  replaceDamagedStore,
  salvageStore,
  settleDamagedStore,
  verifyIntegrity,
  type Database,
  type MayBeRow,
  type Migration,
  type SalvagedStore,
} from "@loopx/store";

/** One of the stores that can be recovered: where it is, and how rows of it become a new one. */
export interface RecoveryTarget {
  readonly path: string;
  /** What it is called in front of a user; no message holds its path. */
  readonly label: string;
  readonly journal: "rollback" | "wal";
  readonly migrations: readonly Migration[];
  readonly mayBeRow: MayBeRow;
  /** Writes into a new store what the rows that could be read make, and says of how much. */
  fill(database: Database, salvaged: RowsByTable, from: SalvagedStore): Promise<RecoveredCounts>;
}

/** How many rows are there again, by where they come from, and how many are not. */
export interface RecoveredCounts {
  readonly carriedRows: number;
  readonly droppedRows: number;
  readonly rebuiltRows?: number;
  readonly carriedEvents?: number;
  readonly lostEvents?: number;
  readonly addedEvents?: number;
}

export interface RecoveredStore {
  readonly counts: RecoveredCounts;
  readonly lostPages: number;
  readonly lostRows: number;
  /** The damaged file's name beside the new one; null in a dry run. */
  readonly kept: string | null;
}

/**
 * Builds a new store of what can be read of a damaged one, and with `isDryRun: false` puts it in its place.
 *
 * A dry run does the same in a folder of its own, so its counts are what would come of it. Refuses with `store_corrupt` where
 * nothing is left that could stand by itself, and with `store_busy` where another process writes.
 */
export async function recoverStore(
  target: RecoveryTarget,
  { isDryRun, ambient }: { readonly isDryRun: boolean; readonly ambient: Ambient },
): Promise<RecoveredStore> {
  const { path, label } = target;
  if (!isDryRun) settleDamagedStore({ path, label });
  const salvaged = salvageStore({ path, label }, target.migrations, target.mayBeRow);
  const folder = isDryRun ? mkdtempSync(join(tmpdir(), "loopx-recover-")) : dirname(path);
  const incoming = join(folder, `${ambient.newId("recovered")}.db`);
  try {
    const counts = await build(target, { incoming, salvaged, ambient });
    const suffix = findFreeSuffix(path, ambient);
    if (!isDryRun) {
      const swap = { version: salvaged.version, incoming, kept: `${path}${suffix}` };
      replaceDamagedStore({ path, label }, swap);
    }
    return {
      counts,
      lostPages: salvaged.lostPageCount,
      lostRows: salvaged.lostRowCount,
      kept: isDryRun ? null : `${label}${suffix}`,
    };
  } finally {
    for (const ending of ["", "-journal", "-wal", "-shm"]) removeEntry(incoming + ending);
    if (isDryRun) rmSync(folder, { recursive: true, force: true });
  }
}

/** By the second, and counted on where that is taken. */
function findFreeSuffix(path: string, ambient: Ambient): string {
  const stamp = ambient
    .now()
    .replaceAll(/[^0-9]/g, "")
    .slice(0, 14);
  const dated = `.damaged-${stamp}`;
  let suffix = dated;
  for (let count = 2; existsSync(path + suffix); count += 1) suffix = `${dated}-${count}`;
  return suffix;
}

async function build(
  target: RecoveryTarget,
  from: { readonly incoming: string; readonly salvaged: SalvagedStore; readonly ambient: Ambient },
): Promise<RecoveredCounts> {
  const { journal, migrations, label } = target;
  const database = await openSqlite({
    path: from.incoming,
    label,
    access: "write",
    journal,
    migrations,
    create: true,
    now: () => from.ambient.now(),
  });
  try {
    const counts = await target.fill(database, from.salvaged.tables, from.salvaged);
    if (counts.carriedRows + (counts.rebuiltRows ?? 0) === 0) throw toNothingLeftError(label);
    const faults = await verifyIntegrity(database, "full");
    if (faults.length > 0)
      throw new LoopxError("internal", { message: `the recovered store is not sound: ${faults[0]}` });
    return counts;
  } finally {
    await database.close();
  }
}

function toNothingLeftError(label: string): LoopxError {
  return new LoopxError("store_corrupt", {
    message: `nothing of ${label} could be read; it was left as it is`,
    hint: "restore a backup: loopx restore --from=FILE",
  });
}
