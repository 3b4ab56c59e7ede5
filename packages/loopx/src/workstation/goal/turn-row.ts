import type { TurnRow } from "@loopx/workstation/contract";
import type { Turn } from "@loopx/control-plane";

/** A turn as the page shows it. */
export function toTurnRow(turn: Turn): TurnRow {
  const { turn_id, agent_id, todo_id, state, opened_at, closed_at, lease_expires_at } = turn;
  return { turn_id, agent_id, todo_id, state, opened_at, closed_at, lease_expires_at };
}
