import { refuse, type Refusal } from "@loopx/contracts";
import type { Transaction } from "@loopx/store";
import { findCompactionOf, findLastCompaction } from "./compaction-rows.ts";

/** Refuses with `history_compacted` a point before the goal's last cutoff, and names the earliest that has an answer. */
export async function checkAnswerable(tx: Transaction, goalId: string, seq: number): Promise<Refusal | undefined> {
  const last = await findLastCompaction(tx, goalId);
  if (last === undefined || seq >= last.through_seq) return undefined;
  const first = (await findCompactionOf(tx, goalId, seq)) ?? last;
  const place = first.archive === null ? "they were not archived" : `they are archived in ${first.archive}`;
  return refuse("history_compacted", {
    message: `events up to ${last.through_seq} (${last.through_at}) were compacted, so the state before is not answered; ${place}`,
    hint: `loopx history --goal-id=${goalId} --at=${last.through_seq}`,
    details: {
      earliest_seq: last.through_seq,
      earliest_at: last.through_at,
      compacted_at: first.compacted_at,
      archive: first.archive,
    },
  });
}
