import type { Instant } from "@loopx/contracts";
import type { Transaction } from "@loopx/store";
import { integer } from "./column-rule.ts";
import { takeStored } from "./entity-table.ts";

/** The sequence number of the goal's last event, 0 when there is none. */
export async function loadLastSeq(tx: Transaction, goalId: string): Promise<number> {
  const row = await tx.get<SeqRow>("SELECT MAX(seq) AS seq FROM events WHERE goal_id = ?", goalId);
  return toSeq(row);
}

/** The last event at or before a moment, 0 when the goal did not exist yet. */
export async function findSeqAt(tx: Transaction, goalId: string, at: Instant): Promise<number> {
  const row = await tx.get<SeqRow>("SELECT MAX(seq) AS seq FROM events WHERE goal_id = ? AND at <= ?", goalId, at);
  return toSeq(row);
}

interface SeqRow {
  readonly seq: number | null;
}

function toSeq(row: SeqRow | undefined): number {
  return takeStored(row?.seq ?? 0, integer(0), { table: "events", column: "seq" });
}
