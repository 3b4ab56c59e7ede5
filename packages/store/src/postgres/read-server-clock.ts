import { toInstant, type Instant } from "@loopx/contracts";
import type { Database } from "../database.ts";

/** What the clock of a store's server says now. */
export async function readServerClock(database: Database): Promise<Instant> {
  const row = await database.read((tx) =>
    tx.get<{ readonly ms: number }>("SELECT floor(extract(epoch FROM clock_timestamp()) * 1000) AS ms"),
  );
  return toInstant(row?.ms ?? 0);
}
