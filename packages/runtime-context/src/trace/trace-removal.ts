import { setTimeout as pause } from "node:timers/promises";
import { LoopxError, type Instant } from "@loopx/contracts";
import type { Database } from "@loopx/store";
import type { KeyRing } from "../keys/key-ring.ts";
import { countContents, purgeContents, type PurgeCause, type PurgeFilter } from "./content-rows.ts";
import { listAgedChains, pruneChain, removeEmptySpans } from "./prune-traces.ts";
import type { ChainName } from "./trace-chain.ts";

/** Contents purged in one transaction: other writers wait for it. */
const PURGE_STEP = 200;
/** Traces pruned in one transaction. */
const PRUNE_STEP = 500;
/** Readers and writers of other processes hold the log for milliseconds. */
const CLEAR_ATTEMPTS = 80;
const CLEAR_PAUSE_MS = 25;

/** Removes the contents that a filter names; resolves to how many. */
export async function purgeInSteps(
  database: Database,
  filter: PurgeFilter,
  options: { readonly because: PurgeCause; readonly now: Instant },
): Promise<number> {
  // Mostly there is nothing to remove, and looking takes no lock from a writer.
  if ((await database.read((tx) => countContents(tx, filter))) === 0) return 0;
  let count = 0;
  for (let purged = PURGE_STEP; purged === PURGE_STEP; count += purged) {
    purged = await database.write((tx) => purgeContents(tx, filter, { ...options, limit: PURGE_STEP }));
  }
  return count;
}

/** What pruning takes away, or would. */
export interface PruneReport {
  readonly traceCount: number;
  /** Chains with traces that are old enough, left as they are: they are not as they were signed, or their key isn't here. */
  readonly left: readonly ChainName[];
}

/** What `pruneInSteps` would take away. */
export async function countAged(database: Database, ring: KeyRing, before: Instant): Promise<PruneReport> {
  const aged = await database.read((tx) => listAgedChains(tx, ring, before));
  return {
    traceCount: aged.reduce((sum, { traceCount }) => sum + (traceCount ?? 0), 0),
    left: aged.flatMap(({ name, traceCount }) => (traceCount === null ? [name] : [])),
  };
}

/** Removes the traces from before a moment that begin the chains of the ring's deployment. */
export async function pruneInSteps(
  database: Database,
  ring: KeyRing,
  times: { readonly before: Instant; readonly now: Instant },
): Promise<PruneReport> {
  const left: ChainName[] = [];
  let traceCount = 0;
  for (const aged of await database.read((tx) => listAgedChains(tx, ring, times.before))) {
    const { name } = aged;
    let isAltered = aged.traceCount === null;
    for (let isOver = isAltered; !isOver;) {
      const stretch = await database.write((tx) => pruneChain(tx, ring, name, { ...times, limit: PRUNE_STEP }));
      traceCount += stretch.traceCount;
      ({ isAltered } = stretch);
      isOver = isAltered || stretch.traceCount < PRUNE_STEP;
    }
    if (isAltered) left.push(name);
  }
  if (traceCount > 0) await database.write(removeEmptySpans);
  await clearLogPatiently(database);
  return { traceCount, left };
}

/** Takes what is gone from the log beside a file, too. Throws `store_busy` where other processes didn't let that happen in time. */
export async function clearLogPatiently(database: Database): Promise<void> {
  for (let attempt = 1; !(await database.clearLog()); attempt += 1) {
    if (attempt === CLEAR_ATTEMPTS) {
      throw new LoopxError("store_busy", {
        message: "it is gone from the trace store, but another process kept its bytes in the log beside it",
        hint: "run the same command again in a moment: it takes them away",
      });
    }
    await pause(CLEAR_PAUSE_MS);
  }
}
