import { parseDuration } from "@loopx/contracts";
import { loadSetting } from "@loopx/control-plane";
import type { Database } from "@loopx/store";

/** How long a lease lasts, in milliseconds: as the caller says, else as the project's setting says. */
export async function loadLeaseTtl(database: Database, named: number | undefined): Promise<number> {
  if (named !== undefined) return named;
  return parseDuration(await database.read((tx) => loadSetting(tx, "lease.ttl")), "lease.ttl");
}
