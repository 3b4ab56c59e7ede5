import type { Transaction } from "@loopx/store";
import { decodePart } from "../events/entity-table.ts";
import { TODOS } from "../todos/todo-rows.ts";
import type { Todo } from "../todos/todo.ts";
import type { Gate } from "./gate.ts";

/** In SQL: the gate that a row of `gate_targets` is of holds its target. Spelled as in the partial index. */
export const IS_HOLDING = "COALESCE(decision, '') <> 'approved'";

/** What the targets of a gate are made from. */
type GateTodo = Pick<Todo, "goal_id" | "todo_id" | "status" | "priority" | "position"> & { readonly gate: Gate };

/** Makes the table say what the gate says: a row for each of its targets, none for a gate that was superseded. */
export async function saveGateTargets(tx: Transaction, todo: GateTodo, isNew: boolean): Promise<void> {
  const { goal_id, todo_id, gate, priority, position } = todo;
  if (!isNew) await tx.run("DELETE FROM gate_targets WHERE goal_id = ? AND gate_id = ?", goal_id, todo_id);
  if (todo.status === "superseded") return;
  for (const target of new Set(gate.blocks)) {
    await tx.run(
      "INSERT INTO gate_targets (goal_id, gate_id, target, kind, decision, ask_again_at, priority, position) " +
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
      goal_id,
      todo_id,
      target,
      gate.kind,
      gate.decision,
      gate.ask_again_at,
      priority,
      position,
    );
  }
}

/** The targets of the gates of a store that had no table of them. */
export async function fillGateTargets(tx: Transaction): Promise<void> {
  const rows = await tx.all<GateTodo>(
    "SELECT goal_id, todo_id, status, priority, position, gate FROM todos WHERE gate IS NOT NULL",
  );
  for (const row of rows) await saveGateTargets(tx, decodePart(TODOS, row), true);
}

/** Whether a gate that no owner has approved names this todo. */
export async function isNamedByGate(tx: Transaction, goalId: string, todoId: string): Promise<boolean> {
  const row = await tx.get(
    `SELECT gate_id FROM gate_targets WHERE goal_id = ? AND target = ? AND ${IS_HOLDING} LIMIT 1`,
    goalId,
    todoId,
  );
  return row !== undefined;
}

/** Of these targets: the gates over each that no owner has approved, by target. */
export async function listGatesNaming(
  tx: Transaction,
  goalId: string,
  targets: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const naming = new Map<string, string[]>();
  if (targets.length === 0) return naming;
  const rows = await tx.all<{ target: string; gate_id: string }>(
    `SELECT target, gate_id FROM gate_targets WHERE goal_id = ? AND ${IS_HOLDING} ` +
      `AND target IN (${targets.map(() => "?").join(", ")}) ORDER BY target, priority, position`,
    goalId,
    ...targets,
  );
  for (const { target, gate_id: gateId } of rows) naming.set(target, [...(naming.get(target) ?? []), gateId]);
  return naming;
}
