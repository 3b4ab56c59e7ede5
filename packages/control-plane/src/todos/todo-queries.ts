import type { SqlValue, Transaction } from "@loopx/store";
import { decodeRow, selectFrom } from "../events/entity-table.ts";
import { TODOS } from "./todo-rows.ts";
import type { TaskClass, Todo, TodoRole, TodoStatus } from "./todo.ts";

export interface TodoFilter {
  readonly role: TodoRole | null;
  readonly status: TodoStatus | null;
  readonly taskClass: TaskClass | null;
  /** Todos that this agent holds or may take. */
  readonly agentId: string | null;
}

export interface Page<Item> {
  readonly items: readonly Item[];
  /** Where the next page begins; null on the last. */
  readonly nextCursor: string | null;
  readonly total: number;
}

/**
 * One page of a goal's todos by priority, then written order. Archived ones are left out.
 *
 * Without a status filter, what is live comes first and finished todos follow.
 */
export async function listTodos(
  tx: Transaction,
  goalId: string,
  query: { readonly filter: TodoFilter; readonly limit: number; readonly cursor: TodoCursor | null },
): Promise<Page<Todo>> {
  const where = ["goal_id = ?", "archived_at IS NULL"];
  const parameters: SqlValue[] = [goalId];
  const { filter, cursor } = query;
  for (const [column, value] of [
    ["role", filter.role],
    ["status", filter.status],
    ["task_class", filter.taskClass],
  ] as const) {
    if (value === null) continue;
    where.push(`${column} = ?`);
    parameters.push(value);
  }
  if (filter.agentId !== null) {
    where.push("(claimed_by IS NULL OR claimed_by = ?)");
    parameters.push(filter.agentId);
  }
  const counted = await tx.get<{ total: number }>(
    `SELECT COUNT(*) AS total FROM todos WHERE ${where.join(" AND ")}`,
    ...parameters,
  );
  if (cursor !== null) {
    where.push(`(${FINISHED} > ? OR (${FINISHED} = ? AND (priority > ? OR (priority = ? AND position > ?))))`);
    parameters.push(cursor.finished, cursor.finished, cursor.priority, cursor.priority, cursor.position);
  }
  const rows = await tx.all(
    `${selectFrom(TODOS)} WHERE ${where.join(" AND ")} ORDER BY ${FINISHED}, priority, position LIMIT ?`,
    ...parameters,
    query.limit + 1,
  );
  const items = rows.slice(0, query.limit).map((row) => decodeRow(TODOS, row));
  const last = items.at(-1);
  const hasMore = rows.length > query.limit && last !== undefined;
  return { items, nextCursor: hasMore ? renderTodoCursor(last) : null, total: counted?.total ?? 0 };
}

const FINISHED = "(CASE WHEN status IN ('done', 'superseded') THEN 1 ELSE 0 END)";

export interface TodoCursor {
  readonly finished: number;
  readonly priority: number;
  readonly position: number;
}

function renderTodoCursor(todo: Todo): string {
  const finished = todo.status === "done" || todo.status === "superseded" ? 1 : 0;
  return `${finished}.${todo.priority}.${todo.position}`;
}

/** The cursor of an earlier page, or undefined when the text is none. */
export function parseTodoCursor(text: string): TodoCursor | undefined {
  const match = /^([01])\.([0-4])\.(\d{1,15})$/.exec(text);
  if (match === null) return undefined;
  return { finished: Number(match[1]), priority: Number(match[2]), position: Number(match[3]) };
}

/** A goal's gates that still ask or hold, by priority, then written order. */
export async function listLiveGates(tx: Transaction, goalId: string, limit: number): Promise<readonly Todo[]> {
  const rows = await tx.all(
    `${selectFrom(TODOS)} WHERE goal_id = ? AND task_class = 'user_gate' AND status IN ('open', 'blocked', 'deferred') ` +
      "ORDER BY priority, position LIMIT ?",
    goalId,
    limit,
  );
  return rows.map((row) => decodeRow(TODOS, row));
}

/** How many gates of a goal still ask or hold. */
export async function countLiveGates(tx: Transaction, goalId: string): Promise<number> {
  const row = await tx.get<{ count: number }>(
    "SELECT COUNT(*) AS count FROM todos WHERE goal_id = ? AND task_class = 'user_gate' " +
      "AND status IN ('open', 'blocked', 'deferred')",
    goalId,
  );
  return row?.count ?? 0;
}

/** What an owner can do now: a goal's open user actions that wait for nothing, by priority, then written order. */
export async function listOpenActions(tx: Transaction, goalId: string, limit: number): Promise<readonly Todo[]> {
  const rows = await tx.all(
    `${selectFrom(TODOS)} action WHERE goal_id = ? AND status = 'open' AND task_class = 'user_action' AND NOT EXISTS ` +
      "(SELECT 1 FROM todo_dependencies edge JOIN todos needed " +
      "ON needed.goal_id = edge.goal_id AND needed.todo_id = edge.depends_on_id " +
      "WHERE edge.goal_id = action.goal_id AND edge.todo_id = action.todo_id AND needed.status <> 'done') " +
      "ORDER BY priority, position LIMIT ?",
    goalId,
    limit,
  );
  return rows.map((row) => decodeRow(TODOS, row));
}

const IN_STATE = {
  claimable: "status = 'open' AND role = 'agent'",
  work: "status IN ('open', 'blocked', 'deferred') AND task_class <> 'user_gate'",
  live: "status IN ('open', 'blocked', 'deferred')",
  finished: "status IN ('done', 'superseded')",
} as const;

/** The ids of a goal's todos by priority, then written order; what is live comes first, archived ones are left out. */
export async function listTodoIds(
  tx: Transaction,
  goalId: string,
  query: { readonly state: keyof typeof IN_STATE | null; readonly limit: number },
): Promise<readonly string[]> {
  const rows = await tx.all<{ todo_id: string }>(
    `SELECT todo_id FROM todos WHERE goal_id = ? AND archived_at IS NULL ` +
      `${query.state === null ? "" : `AND ${IN_STATE[query.state]} `}ORDER BY ${FINISHED}, priority, position LIMIT ?`,
    goalId,
    query.limit,
  );
  return rows.map((row) => row.todo_id);
}

/** How many open todos of a goal are an owner's: questions, and what only a person can do. */
export async function countOpenForOwner(tx: Transaction, goalId: string): Promise<number> {
  const row = await tx.get<{ count: number }>(
    "SELECT COUNT(*) AS count FROM todos WHERE goal_id = ? AND role = 'user' AND status = 'open'",
    goalId,
  );
  return row?.count ?? 0;
}

/** How many todos of a goal are in each status, archived ones included. */
export async function countTodosByStatus(
  tx: Transaction,
  goalId: string,
): Promise<Readonly<Partial<Record<TodoStatus, number>>>> {
  const rows = await tx.all<{ status: TodoStatus; count: number }>(
    "SELECT status, COUNT(*) AS count FROM todos WHERE goal_id = ? GROUP BY status ORDER BY status",
    goalId,
  );
  return Object.fromEntries(rows.map((row) => [row.status, row.count]));
}
