import type { Transaction } from "@loopx/store";
import { anyText, instant, integer, orNull } from "../events/column-rule.ts";
import { decodeRow, selectFrom, type EntityTable } from "../events/entity-table.ts";
import type { Compaction } from "./compaction.ts";

export const COMPACTIONS: EntityTable<Compaction> = {
  name: "event_compactions",
  key: ["goal_id", "compaction_id"],
  columns: {
    goal_id: anyText,
    compaction_id: anyText,
    from_seq: integer(1),
    through_seq: integer(1),
    through_at: instant,
    removed_count: integer(1),
    removed_bytes: integer(1),
    older_than_ms: orNull(integer(0)),
    keep_events: orNull(integer(0)),
    archive: orNull(anyText),
    archive_digest: orNull(anyText),
    compacted_at: instant,
  },
  json: [],
  flags: [],
};

/** The goal's last compaction, whose cutoff counts; undefined where every event is there. */
export async function findLastCompaction(tx: Transaction, goalId: string): Promise<Compaction | undefined> {
  const [last] = await listCompactions(tx, goalId, 1);
  return last;
}

/** The goal's compactions, latest cutoff first. */
export async function listCompactions(tx: Transaction, goalId: string, limit: number): Promise<readonly Compaction[]> {
  const rows = await tx.all(
    `${selectFrom(COMPACTIONS)} WHERE goal_id = ? ORDER BY through_seq DESC, compaction_id LIMIT ?`,
    goalId,
    limit,
  );
  return rows.map((row) => decodeRow(COMPACTIONS, row));
}

/** The compaction that removed events from below `seq` first: its archive holds the oldest of what is missing there. */
export async function findCompactionOf(tx: Transaction, goalId: string, seq: number): Promise<Compaction | undefined> {
  const row = await tx.get(
    `${selectFrom(COMPACTIONS)} WHERE goal_id = ? AND through_seq > ? ORDER BY through_seq, compaction_id LIMIT 1`,
    goalId,
    seq,
  );
  return row && decodeRow(COMPACTIONS, row);
}
