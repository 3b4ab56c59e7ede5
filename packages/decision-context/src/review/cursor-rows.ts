import type { Transaction } from "@loopx/store";

/** Where each source of a goal was read up to by the last settled review. Private. */
export async function loadCursors(tx: Transaction, goalId: string): Promise<ReadonlyMap<string, string>> {
  const rows = await tx.all<{ source_id: string; cursor: string }>(
    "SELECT source_id, cursor FROM decision_cursors WHERE goal_id = ? ORDER BY source_id",
    goalId,
  );
  return new Map(rows.map(({ source_id, cursor }) => [source_id, cursor]));
}

/** Only the transaction that records a settled review calls it. */
export async function saveCursors(
  tx: Transaction,
  goalId: string,
  cursors: Readonly<Record<string, string>>,
): Promise<void> {
  for (const [sourceId, cursor] of Object.entries(cursors)) {
    await tx.run(
      "INSERT INTO decision_cursors (goal_id, source_id, cursor) VALUES (?, ?, ?) " +
        "ON CONFLICT (goal_id, source_id) DO UPDATE SET cursor = excluded.cursor",
      goalId,
      sourceId,
      cursor,
    );
  }
}
