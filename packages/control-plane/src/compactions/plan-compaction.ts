import { addMs, type Instant } from "@loopx/contracts";
import type { Transaction } from "@loopx/store";
import { integer } from "../events/column-rule.ts";
import { takeStored } from "../events/entity-table.ts";
import { loadLastSeq } from "../events/last-seq.ts";
import { findLastCompaction } from "./compaction-rows.ts";
import { listRemovableEvents } from "./removable-events.ts";

/** Which events may go: those that are older, and are not among the last ones. Null asks for nothing. */
export interface CompactionPolicy {
  readonly olderThanMs: number | null;
  readonly keepEvents: number | null;
}

export interface CompactionPlan {
  readonly goalId: string;
  readonly eventCount: number;
  readonly removedCount: number;
  readonly removedBytes: number;
  /** Where the goal's events were compacted up to before; 0 where they never were. */
  readonly sinceSeq: number;
  /** The earliest event as of which the state is answered afterwards, and when that was. */
  readonly throughSeq: number;
  readonly throughAt: Instant;
}

/** What a policy would remove of one goal; undefined where that is nothing. */
export async function planCompaction(
  tx: Transaction,
  of: { readonly goalId: string; readonly policy: CompactionPolicy },
  now: Instant,
): Promise<CompactionPlan | undefined> {
  const { goalId } = of;
  const throughSeq = await findCutoff(tx, of, now);
  const sinceSeq = (await findLastCompaction(tx, goalId))?.through_seq ?? 0;
  if (throughSeq <= sinceSeq) return undefined;
  let removedCount = 0;
  let removedBytes = 0;
  for await (const { bytes } of listRemovableEvents(tx, goalId, throughSeq)) {
    removedCount += 1;
    removedBytes += bytes;
  }
  if (removedCount === 0) return undefined;
  const throughAt = await loadTimeOf(tx, goalId, throughSeq);
  const eventCount = await countEvents(tx, goalId);
  return { goalId, eventCount, removedCount, removedBytes, sinceSeq, throughSeq, throughAt };
}

/** The last event that the policy lets go. Clocks go back at times: nothing before it is younger than the policy says. */
async function findCutoff(
  tx: Transaction,
  { goalId, policy }: { readonly goalId: string; readonly policy: CompactionPolicy },
  now: Instant,
): Promise<number> {
  const { olderThanMs, keepEvents } = policy;
  const last = await loadLastSeq(tx, goalId);
  const byCount = await findSeqBelow(tx, goalId, keepEvents ?? 0);
  if (olderThanMs === null) return byCount;
  const young = await tx.get<{ seq: number | null }>(
    "SELECT MIN(seq) AS seq FROM events WHERE goal_id = ? AND at >= ?",
    goalId,
    addMs(now, -olderThanMs),
  );
  const youngest = takeStored(young?.seq ?? last + 1, integer(1), { table: "events", column: "seq" });
  return Math.min(byCount, youngest - 1);
}

/** The event below the last `count`, 0 where there is none. Records of compactions don't count: one would let the next begin. */
async function findSeqBelow(tx: Transaction, goalId: string, count: number): Promise<number> {
  const row = await tx.get<{ seq: number }>(
    "SELECT seq FROM events WHERE goal_id = ? AND entity <> 'compaction' ORDER BY seq DESC LIMIT 1 OFFSET ?",
    goalId,
    count,
  );
  return takeStored(row?.seq ?? 0, integer(0), { table: "events", column: "seq" });
}

/** When the event at a cutoff happened; that one is never removed. */
export async function loadTimeOf(tx: Transaction, goalId: string, seq: number): Promise<Instant> {
  const row = await tx.get<{ at: Instant }>("SELECT at FROM events WHERE goal_id = ? AND seq = ?", goalId, seq);
  return takeStored(row?.at as Instant, (at) => typeof at === "string", { table: "events", column: "at" });
}

async function countEvents(tx: Transaction, goalId: string): Promise<number> {
  const row = await tx.get<{ count: number }>("SELECT COUNT(*) AS count FROM events WHERE goal_id = ?", goalId);
  return row?.count ?? 0;
}
