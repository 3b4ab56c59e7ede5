import type { Transaction } from "@loopx/store";
import { decodeRow, selectFrom, type EntityTable } from "../events/entity-table.ts";
import type { Activation } from "./activation.ts";

export const ACTIVATIONS: EntityTable<Activation> = {
  name: "activations",
  key: ["goal_id", "agent_id"],
  columns: ["goal_id", "agent_id", "host_surface", "thread_id", "loop_driver", "task_body_digest", "recorded_at"],
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
