import type { Transaction } from "@loopx/store";
import { anyText, instant, integer, oneOf, orNull } from "../events/column-rule.ts";
import { decodeRow, selectFrom, type EntityTable } from "../events/entity-table.ts";
import type { Goal } from "./goal.ts";

export const GOALS: EntityTable<Goal> = {
  name: "goals",
  key: ["goal_id"],
  columns: {
    goal_id: anyText,
    objective: anyText,
    status: oneOf(["active", "paused", "completed", "stopped"]),
    revision: integer(1),
    budget_total_turns: orNull(integer(0)),
    budget_window_turns: orNull(integer(0)),
    budget_window_ms: orNull(integer(0)),
    reason: orNull(anyText),
    created_at: instant,
    updated_at: instant,
  },
  json: [],
  flags: [],
};

export async function findGoal(tx: Transaction, goalId: string): Promise<Goal | undefined> {
  const row = await tx.get(`${selectFrom(GOALS)} WHERE goal_id = ?`, goalId);
  return row && decodeRow(GOALS, row);
}

/** Every goal of the project, oldest first. */
export async function listGoals(tx: Transaction): Promise<readonly Goal[]> {
  const rows = await tx.all(`${selectFrom(GOALS)} ORDER BY created_at, goal_id`);
  return rows.map((row) => decodeRow(GOALS, row));
}
