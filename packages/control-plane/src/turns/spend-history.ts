import type { Instant } from "@loopx/contracts";
import type { SqlValue, Transaction } from "@loopx/store";
import { decodeRow, selectFrom } from "../events/entity-table.ts";
import { EVIDENCE, TURNS } from "./turn-rows.ts";
import type { Evidence, Turn } from "./turn.ts";

/** Turns of a goal that were opened on one day (UTC). */
export interface DayOfTurns {
  /** `2026-03-01` */
  readonly day: string;
  readonly state: Turn["state"];
  readonly count: number;
}

/** How many turns were opened each day since a moment, by the state they are in now; days without one are left out. */
export async function countTurnsByDay(tx: Transaction, goalId: string, since: Instant): Promise<readonly DayOfTurns[]> {
  return tx.all<{ day: string; state: Turn["state"]; count: number }>(
    "SELECT substr(opened_at, 1, 10) AS day, state, COUNT(*) AS count FROM turns " +
      "WHERE goal_id = ? AND opened_at >= ? GROUP BY 1, state ORDER BY 1, state",
    goalId,
    since,
  );
}

/** A goal's latest turns, of all lanes or for one todo, newest first. */
export async function listTurns(
  tx: Transaction,
  goalId: string,
  query: { readonly todoId: string | null; readonly limit: number },
): Promise<readonly Turn[]> {
  const forTodo = query.todoId === null ? "" : "AND todo_id = ? ";
  const parameters: SqlValue[] = query.todoId === null ? [goalId] : [goalId, query.todoId];
  const rows = await tx.all(
    `${selectFrom(TURNS)} WHERE goal_id = ? ${forTodo}ORDER BY opened_at DESC, turn_id DESC LIMIT ?`,
    ...parameters,
    query.limit,
  );
  return rows.map((row) => decodeRow(TURNS, row));
}

/** What is recorded for a todo, newest first. */
export async function listEvidenceOfTodo(
  tx: Transaction,
  goalId: string,
  query: { readonly todoId: string; readonly limit: number },
): Promise<readonly Evidence[]> {
  const rows = await tx.all(
    `${selectFrom(EVIDENCE)} WHERE goal_id = ? AND todo_id = ? ORDER BY recorded_at DESC, evidence_id DESC LIMIT ?`,
    goalId,
    query.todoId,
    query.limit,
  );
  return rows.map((row) => decodeRow(EVIDENCE, row));
}

/** How many records of evidence each of these todos has; those without one are left out. */
export async function countEvidence(
  tx: Transaction,
  goalId: string,
  todoIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (todoIds.length === 0) return new Map();
  const rows = await tx.all<{ todo_id: string; count: number }>(
    "SELECT todo_id, COUNT(*) AS count FROM evidence WHERE goal_id = ? " +
      `AND todo_id IN (${todoIds.map(() => "?").join(", ")}) GROUP BY todo_id`,
    goalId,
    ...todoIds,
  );
  return new Map(rows.map((row) => [row.todo_id, row.count]));
}
