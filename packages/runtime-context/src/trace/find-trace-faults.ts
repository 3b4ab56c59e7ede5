import type { Instant } from "@loopx/contracts";
import { openSqlite, verifyIntegrity, type Transaction } from "@loopx/store";
import { TRACE_MIGRATIONS } from "./trace-schema.ts";
import { parseTraceJson } from "./trace-search.ts";
import { listChains } from "./stored-chains.ts";
import { readEntries } from "./verify-traces.ts";

/**
 * Lists what is damaged in a trace store, as far as it can be told without keys: broken pages, chains with a gap or without
 * their end, traces of which search reads something else than they say. Whether a trace is as it was written, only
 * `verifyTraces` tells. Reads the whole store. Errors as `openSqlite`.
 */
export async function findTraceFaults(
  path: string,
  options: { readonly label: string; now(): Instant },
): Promise<readonly string[]> {
  const database = await openSqlite({
    path,
    label: options.label,
    access: "read",
    journal: "wal",
    migrations: TRACE_MIGRATIONS,
    now: () => options.now(),
  });
  try {
    const damage = await verifyIntegrity(database, "full");
    return damage.length > 0 ? damage : await database.read(findChainFaults);
  } finally {
    await database.close();
  }
}

async function findChainFaults(tx: Transaction): Promise<readonly string[]> {
  const faults = new Map<string, number>();
  const add = (fault: string): void => void faults.set(fault, (faults.get(fault) ?? 0) + 1);
  for (const { name, ends } of await listChains(tx)) {
    // What was let go from the beginning stands in the pruning, which says how many those were.
    let count = ends.pruning?.count ?? 0;
    let mac = ends.pruning?.mac ?? "";
    for await (const entry of readEntries(tx, name, ({ problem }) => add(`traces with ${problem}`))) {
      count += 1;
      if (entry.sequence !== count) add("chains with a gap");
      if (parseTraceJson(entry.json) === undefined) add("traces that are not whole");
      mac = entry.mac;
    }
    if (count !== ends.count || mac !== ends.mac) add("chains that do not end with their head");
  }
  return [...faults].map(([fault, count]) => `${count} ${fault}`);
}
