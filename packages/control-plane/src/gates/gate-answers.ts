import type { Transaction } from "@loopx/store";
import type { DecisionFacts } from "../decision/decision.ts";
import { decodeRow } from "../events/entity-table.ts";
import { TODOS } from "../todos/todo-rows.ts";
import type { Todo } from "../todos/todo.ts";

const ANSWERS_SHOWN = 3;

/**
 * The gates in favour of this work whose owner said something with the verdict, newest first: those that name the todo,
 * its agent or the whole goal. Nothing is looked for where the decision saw no approved gate.
 */
export async function listAnswers(tx: Transaction, facts: DecisionFacts, todoId: string): Promise<readonly Todo[]> {
  if (!facts.gates.some((gate) => gate.decision === "approved")) return [];
  const rows = await tx.all(
    "SELECT DISTINCT gate.* FROM gate_targets named " +
      "JOIN todos gate ON gate.goal_id = named.goal_id AND gate.todo_id = named.gate_id " +
      "WHERE named.goal_id = ? AND named.target IN (?, ?, 'goal') AND named.decision = 'approved' " +
      `AND gate.reason IS NOT NULL ORDER BY gate.completed_at DESC, gate.todo_id LIMIT ${ANSWERS_SHOWN}`,
    facts.goal.goal_id,
    todoId,
    `agent:${facts.agentId}`,
  );
  return rows.map((row) => decodeRow(TODOS, row));
}
