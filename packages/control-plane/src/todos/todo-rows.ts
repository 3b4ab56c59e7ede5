import type { Transaction } from "@loopx/store";
import { anyOf, anyText, instant, integer, listOf, oneOf, orNull, prefixed, shape } from "../events/column-rule.ts";
import { decodeRow, selectFrom, takeStored, type EntityTable } from "../events/entity-table.ts";
import { IS_GATE } from "../gates/gate-shape.ts";
import {
  COMPLETIONS,
  TASK_CLASSES,
  TODO_ROLES,
  TODO_STATUSES,
  type Todo,
  type TodoRole,
  type ValidationCommand,
} from "./todo.ts";

const isResumeCondition = anyOf(oneOf(["manual"]), prefixed("after:", instant), prefixed("todo_done:", anyText));
const IS_COMMAND = shape<ValidationCommand>({
  argv: listOf(anyText, 1),
  label: orNull(anyText),
  timeout_ms: integer(1),
});

export const TODOS: EntityTable<Todo> = {
  name: "todos",
  key: ["goal_id", "todo_id"],
  columns: {
    goal_id: anyText,
    todo_id: anyText,
    role: oneOf(TODO_ROLES),
    task_class: oneOf(TASK_CLASSES),
    status: oneOf(TODO_STATUSES),
    text: anyText,
    priority: integer(0, 4),
    position: integer(0),
    action_kind: orNull(anyText),
    target_key: orNull(anyText),
    depends_on: listOf(anyText),
    resume: orNull(isResumeCondition),
    claimed_by: orNull(anyText),
    claim_epoch: integer(0),
    claim_expires_at: orNull(instant),
    validation: orNull(IS_COMMAND),
    cadence_ms: orNull(integer(0)),
    due_at: orNull(instant),
    note: orNull(anyText),
    reason: orNull(anyText),
    held_by: orNull(anyText),
    completion: orNull(oneOf(COMPLETIONS)),
    successor_todo_id: orNull(anyText),
    gate: orNull(IS_GATE),
    created_by: anyText,
    created_at: instant,
    updated_at: instant,
    completed_at: orNull(instant),
    archived_at: orNull(instant),
  },
  json: ["depends_on", "validation", "gate"],
  flags: [],
};

export async function findTodo(tx: Transaction, goalId: string, todoId: string): Promise<Todo | undefined> {
  const row = await tx.get(`${selectFrom(TODOS)} WHERE goal_id = ? AND todo_id = ?`, goalId, todoId);
  return row && decodeRow(TODOS, row);
}

/**
 * The todo of this goal and role with exactly this text that is not finished: the open one, else one that is held.
 *
 * A blocked or deferred one counts as open still: written again it would run beside the hold that somebody put on it.
 */
export async function findLiveTodoByText(
  tx: Transaction,
  goalId: string,
  written: { readonly role: TodoRole; readonly text: string },
): Promise<Todo | undefined> {
  const open = "status = 'open' AND role = ? AND substr(text, 1, 64) = substr(?, 1, 64) AND text = ?";
  // In the order of `todos_live`: otherwise SQLite may look through all that was ever finished.
  const held =
    "status IN ('open', 'blocked', 'deferred') AND status <> 'open' AND role = ? AND text = ? ORDER BY priority, position";
  const { role, text } = written;
  const row =
    (await tx.get(`${selectFrom(TODOS)} WHERE goal_id = ? AND ${open} LIMIT 1`, goalId, role, text, text)) ??
    (await tx.get(`${selectFrom(TODOS)} WHERE goal_id = ? AND ${held} LIMIT 1`, goalId, role, text));
  return row && decodeRow(TODOS, row);
}

/** The position after the last todo of the goal. */
export async function loadNextPosition(tx: Transaction, goalId: string): Promise<number> {
  const row = await tx.get<{ last: number | null }>(
    "SELECT MAX(position) AS last FROM todos WHERE goal_id = ?",
    goalId,
  );
  return takeStored(row?.last ?? 0, TODOS.columns.position, { table: TODOS.name, column: "position" }) + 1;
}

/**
 * What each todo of the goal waits for: its dependencies and its `todo_done:` condition, which a rejected gate blocks
 * but leaves in place.
 */
export async function loadWaitEdges(tx: Transaction, goalId: string): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = await tx.all<EdgeRow>(
    "SELECT todo_id, depends_on_id FROM todo_dependencies WHERE goal_id = ? UNION ALL " +
      "SELECT todo_id, substr(resume, 11) AS depends_on_id FROM todos " +
      "WHERE goal_id = ? AND status IN ('deferred', 'blocked') AND resume LIKE 'todo_done:%'",
    goalId,
    goalId,
  );
  return toEdges(rows);
}

interface EdgeRow {
  readonly todo_id: string;
  readonly depends_on_id: string;
}

function toEdges(rows: readonly EdgeRow[]): ReadonlyMap<string, readonly string[]> {
  const edges = new Map<string, string[]>();
  for (const row of rows) {
    const targets = edges.get(row.todo_id);
    if (targets === undefined) edges.set(row.todo_id, [row.depends_on_id]);
    else targets.push(row.depends_on_id);
  }
  return edges;
}

/** The todos that depend directly on this one. */
export async function listDependents(tx: Transaction, goalId: string, todoId: string): Promise<readonly Todo[]> {
  const rows = await tx.all(
    `${selectFrom(TODOS)} WHERE goal_id = ? AND todo_id IN ` +
      `(SELECT todo_id FROM todo_dependencies WHERE goal_id = ? AND depends_on_id = ?) ORDER BY position`,
    goalId,
    goalId,
    todoId,
  );
  return rows.map((row) => decodeRow(TODOS, row));
}

/** The todos that are deferred until this one is done, those that are blocked as well included. */
export async function listWaiting(tx: Transaction, goalId: string, todoId: string): Promise<readonly Todo[]> {
  const rows = await tx.all(
    `${selectFrom(TODOS)} WHERE goal_id = ? AND status IN ('deferred', 'blocked') AND resume = ? ORDER BY position`,
    goalId,
    `todo_done:${todoId}`,
  );
  return rows.map((row) => decodeRow(TODOS, row));
}

/** Makes the edge table say what the todo says. */
export async function saveDependencies(tx: Transaction, todo: Todo, isNew: boolean): Promise<void> {
  if (!isNew) {
    await tx.run("DELETE FROM todo_dependencies WHERE goal_id = ? AND todo_id = ?", todo.goal_id, todo.todo_id);
  }
  for (const dependsOn of todo.depends_on) {
    await tx.run(
      "INSERT INTO todo_dependencies (goal_id, todo_id, depends_on_id) VALUES (?, ?, ?)",
      todo.goal_id,
      todo.todo_id,
      dependsOn,
    );
  }
}

/** Open, blocked and deferred todos of the goal, by id, that are not archived. */
export async function countLiveTodos(tx: Transaction, goalId: string, exceptTodoId: string): Promise<number> {
  const row = await tx.get<{ live: number }>(
    "SELECT COUNT(*) AS live FROM todos WHERE goal_id = ? AND status IN ('open', 'blocked', 'deferred') AND todo_id <> ?",
    goalId,
    exceptTodoId,
  );
  return row?.live ?? 0;
}
