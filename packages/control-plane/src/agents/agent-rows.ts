import type { Transaction } from "@loopx/store";
import { anyText, instant } from "../events/column-rule.ts";
import { decodeRow, selectFrom, type EntityTable } from "../events/entity-table.ts";
import type { Agent } from "./agent.ts";

export const AGENTS: EntityTable<Agent> = {
  name: "agents",
  key: ["goal_id", "agent_id"],
  columns: {
    goal_id: anyText,
    agent_id: anyText,
    registered_at: instant,
  },
  json: [],
  flags: [],
};

export async function findAgent(tx: Transaction, goalId: string, agentId: string): Promise<Agent | undefined> {
  const row = await tx.get(`${selectFrom(AGENTS)} WHERE goal_id = ? AND agent_id = ?`, goalId, agentId);
  return row && decodeRow(AGENTS, row);
}

/** The lanes of a goal in the order of their registration. */
export async function listAgents(tx: Transaction, goalId: string): Promise<readonly Agent[]> {
  const rows = await tx.all(`${selectFrom(AGENTS)} WHERE goal_id = ? ORDER BY registered_at, agent_id`, goalId);
  return rows.map((row) => decodeRow(AGENTS, row));
}
