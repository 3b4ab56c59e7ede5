import type { Transaction } from "@loopx/store";
import { anyText, instant, orNull } from "../events/column-rule.ts";
import { decodeRow, selectFrom, type EntityTable } from "../events/entity-table.ts";
import type { Activation } from "./activation.ts";

export const ACTIVATIONS: EntityTable<Activation> = {
  name: "activations",
  key: ["goal_id", "agent_id"],
  columns: {
    goal_id: anyText,
    agent_id: anyText,
    host_surface: anyText,
    thread_id: orNull(anyText),
    loop_driver: orNull(anyText),
    task_body_digest: anyText,
    recorded_at: instant,
  },
  json: [],
  flags: [],
};

export async function findActivation(
  tx: Transaction,
  goalId: string,
  agentId: string,
): Promise<Activation | undefined> {
  const row = await tx.get(`${selectFrom(ACTIVATIONS)} WHERE goal_id = ? AND agent_id = ?`, goalId, agentId);
  return row && decodeRow(ACTIVATIONS, row);
}

/** The records of a goal's lanes. */
export async function listActivations(tx: Transaction, goalId: string): Promise<readonly Activation[]> {
  const rows = await tx.all(`${selectFrom(ACTIVATIONS)} WHERE goal_id = ? ORDER BY agent_id`, goalId);
  return rows.map((row) => decodeRow(ACTIVATIONS, row));
}
