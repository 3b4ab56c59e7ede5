import type { Transaction } from "@loopx/store";

/** One for each goal of a project, by its id: equal as long as nothing of the goal changed that a view shows. */
export type ChangeMarks = ReadonlyMap<string, string>;

/** Reads the marks, by indexes alone: for whoever asks again and again. The lease is there since its renewal is no event. */
export async function loadChangeMarks(tx: Transaction): Promise<ChangeMarks> {
  const rows = await tx.all<{ readonly goal_id: string; readonly seq: number | null; readonly lease: string | null }>(
    `SELECT goal_id, (SELECT MAX(seq) FROM events WHERE events.goal_id = goals.goal_id) AS seq,
       (SELECT MAX(lease_expires_at) FROM turns WHERE turns.goal_id = goals.goal_id AND state = 'open') AS lease
     FROM goals`,
  );
  return new Map(rows.map(({ goal_id: goalId, seq, lease }) => [goalId, `${seq ?? 0} ${lease ?? ""}`]));
}
