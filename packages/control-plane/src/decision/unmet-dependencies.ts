import type { Transaction } from "@loopx/store";
import { isOneOf } from "./candidate-class.ts";

/** Up to here the todos are named one by one; beyond it all edges of the goal are read at once. */
const NAMED_ONE_BY_ONE = 100;

/** Of these todos: the ones each depends on that are not done, by id. */
export async function loadUnmetDependencies(
  tx: Transaction,
  goalId: string,
  todoIds: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const unmet = new Map<string, string[]>();
  if (todoIds.length === 0) return unmet;
  const isNamed = isOneOf("edge.todo_id", todoIds.length > NAMED_ONE_BY_ONE ? [] : todoIds);
  const rows = await tx.all<{ todo_id: string; depends_on_id: string }>(
    "SELECT edge.todo_id, edge.depends_on_id FROM todo_dependencies edge " +
      "JOIN todos needed ON needed.goal_id = edge.goal_id AND needed.todo_id = edge.depends_on_id " +
      `WHERE edge.goal_id = ? AND needed.status <> 'done' ${isNamed.parameters.length === 0 ? "" : `AND ${isNamed.sql} `}` +
      "ORDER BY edge.todo_id, edge.depends_on_id",
    goalId,
    ...isNamed.parameters,
  );
  for (const row of rows) {
    const needed = unmet.get(row.todo_id);
    if (needed === undefined) unmet.set(row.todo_id, [row.depends_on_id]);
    else needed.push(row.depends_on_id);
  }
  return unmet;
}
