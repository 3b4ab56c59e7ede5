import type { Transaction } from "@loopx/store";

/**
 * A text that differs from an earlier one when something of the project changed in between: the last event of each goal, and
 * the leases of open turns, which are extended without an event.
 *
 * Costs a look into an index per goal. A restored store may count its events anew, so the event itself is part of it.
 */
export async function loadChangeMark(tx: Transaction): Promise<string> {
  const events = await tx.all(
    "SELECT last.goal_id, last.seq, last.at, last.type, last.entity_id FROM goals goal JOIN events last " +
      "ON last.goal_id = goal.goal_id AND last.seq = (SELECT MAX(seq) FROM events WHERE goal_id = goal.goal_id) " +
      "ORDER BY last.goal_id",
  );
  const leases = await tx.all(
    "SELECT goal_id, turn_id, lease_expires_at FROM turns WHERE state = 'open' ORDER BY goal_id, turn_id",
  );
  return JSON.stringify([events, leases]);
}
