import type { Instant } from "@loopx/contracts";
import type { Transaction } from "@loopx/store";
import { decodePart } from "../events/entity-table.ts";
import { TODOS } from "../todos/todo-rows.ts";
import { isOneOf, LIVE, selectClassified, type SqlPart } from "./candidate-class.ts";
import type { CandidateTodo } from "./decision.ts";
import { countLeftOut } from "./left-out.ts";
import { loadUnmetDependencies } from "./unmet-dependencies.ts";

const COLUMNS =
  "todo_id, role, task_class, status, priority, position, action_kind, claimed_by, claim_epoch, " +
  "claim_expires_at, resume, due_at, depends_on";

type CandidateRow = Omit<CandidateTodo, "unmet_dependencies" | "left_out"> & { readonly depends_on: readonly string[] };
type ClassifiedRow = CandidateRow & { readonly class: string };

/** Todos of one kind that an answer names; the others are counted. */
export const NAMED = 5;
/** The classes that an answer names one by one; of the others one stands for all. */
const NAMED_CLASSES: readonly string[] = ["gated", "missing_gate", "blocked", "waits"];

/**
 * The live todos that the decision can tell apart, by priority and written order.
 *
 * Of each class of alike todos the first few are loaded, and those whose time comes first; the last one loaded carries the
 * number of the others. A goal of five thousand todos of one kind costs a handful of rows.
 */
export async function listCandidates(
  tx: Transaction,
  goalId: string,
  query: {
    readonly now: Instant;
    /** Loaded whatever it is like: the todo of the open turn. */
    readonly todoId: string | null;
  },
): Promise<readonly CandidateTodo[]> {
  const classified = selectClassified(goalId, query.now);
  const sizes = await listClasses(tx, classified);
  const rows = new Map<string, ClassifiedRow>();
  const take = (taken: readonly ClassifiedRow[]): void => taken.forEach((row) => rows.set(row.todo_id, row));
  const whole = sizes.filter((size) => size.count <= NAMED).map((size) => size.class);
  if (whole.length > 0) take(await loadWhere(tx, classified, isOneOf("class", whole)));
  for (const size of sizes) if (!whole.includes(size.class)) take(await loadFirst(tx, classified, size));
  if (query.todoId !== null) take(await loadWhere(tx, classified, isOneOf("todo_id", [query.todoId])));
  const isAnyWaiting = sizes.some((size) => size.class === "waits");
  const wanted = isAnyWaiting ? await loadWantedActions(tx, goalId, classified) : { rows: [], count: 0 };
  take(wanted.rows);
  const leftOut = countLeftOut([...sizes, { class: ACTION, count: wanted.count }], [...rows.values()]);
  const listed = [...rows.values()].toSorted(
    (left, right) => left.priority - right.priority || left.position - right.position,
  );
  const candidates = await withDependencies(tx, goalId, listed);
  return candidates.map((todo) => ({ ...todo, left_out: leftOut.get(todo.todo_id) ?? 0 }));
}

interface ClassSize {
  readonly class: string;
  readonly count: number;
  readonly resume: string | null;
  readonly claim_expires_at: string | null;
  readonly due_at: string | null;
}

/** How many there are of each class, and its first moments. */
async function listClasses(tx: Transaction, classified: SqlPart): Promise<readonly ClassSize[]> {
  return tx.all<ClassSize>(
    "SELECT class, COUNT(*) AS count, MIN(resume) AS resume, MIN(claim_expires_at) AS claim_expires_at, " +
      `MIN(due_at) AS due_at FROM (${classified.sql}) classified GROUP BY class ORDER BY class`,
    ...classified.parameters,
  );
}

type MomentColumn = "resume" | "claim_expires_at" | "due_at";

/** The moments that free a todo of a class; a claim is the caller's or another's, so both count there. */
function momentsOf(name: string): readonly MomentColumn[] {
  if (name === "put_off_until") return ["resume"];
  if (name === "not_due") return ["due_at"];
  if (name.startsWith("claimed_not_due:")) return ["claim_expires_at", "due_at"];
  return name.startsWith("claimed:") ? ["claim_expires_at"] : [];
}

async function loadFirst(tx: Transaction, classified: SqlPart, size: ClassSize): Promise<readonly ClassifiedRow[]> {
  const ofClass = { sql: "class = ?", parameters: [size.class] };
  const limit = NAMED_CLASSES.includes(size.class) ? NAMED : 1;
  const rows = [...(await loadWhere(tx, classified, ofClass, limit))];
  for (const column of momentsOf(size.class)) {
    const atOnce = { sql: `class = ? AND ${column} = ?`, parameters: [size.class, size[column]] };
    rows.push(...(await loadWhere(tx, classified, atOnce, 1)));
  }
  return rows;
}

async function loadWhere(
  tx: Transaction,
  classified: SqlPart,
  where: SqlPart,
  limit?: number,
): Promise<readonly ClassifiedRow[]> {
  return tx.all<ClassifiedRow>(
    `SELECT ${COLUMNS}, class FROM (${classified.sql}) classified WHERE ${where.sql} ORDER BY priority, position` +
      (limit === undefined ? "" : ` LIMIT ${limit}`),
    ...classified.parameters,
    ...where.parameters,
  );
}

/** The class of what a person is to do. */
const ACTION = "action";

/** The first actions of a person that work waits for, each with one todo that waits for it; `count`: all actions. */
async function loadWantedActions(
  tx: Transaction,
  goalId: string,
  classified: SqlPart,
): Promise<{ readonly rows: readonly ClassifiedRow[]; readonly count: number }> {
  const action = await tx.get(`SELECT todo_id FROM todos WHERE ${LIVE} AND task_class = 'user_action' LIMIT 1`, goalId);
  if (action === undefined) return { rows: [], count: 0 };
  const wanted = await tx.all<{ action_id: string; waiting_id: string; total: number }>(
    "SELECT needed.todo_id AS action_id, MIN(waiting.todo_id) AS waiting_id, COUNT(*) OVER () AS total " +
      `FROM (${classified.sql}) waiting ` +
      "JOIN todo_dependencies edge ON edge.goal_id = waiting.goal_id AND edge.todo_id = waiting.todo_id " +
      "JOIN todos needed ON needed.goal_id = edge.goal_id AND needed.todo_id = edge.depends_on_id " +
      "WHERE waiting.class = 'waits' AND needed.task_class = 'user_action' " +
      "AND needed.status IN ('open', 'blocked', 'deferred') " +
      "GROUP BY needed.todo_id, needed.priority, needed.position " +
      `ORDER BY needed.priority, needed.position LIMIT ${NAMED}`,
    ...classified.parameters,
  );
  const isAction = isOneOf(
    "todo_id",
    wanted.map((each) => each.action_id),
  );
  const actions = await tx.all<ClassifiedRow>(
    `SELECT ${COLUMNS}, '${ACTION}' AS class FROM todos WHERE ${LIVE} AND ${isAction.sql}`,
    goalId,
    ...isAction.parameters,
  );
  const isWaiting = isOneOf("todo_id", [...new Set(wanted.map((each) => each.waiting_id))]);
  return { rows: [...actions, ...(await loadWhere(tx, classified, isWaiting))], count: wanted[0]?.total ?? 0 };
}

/** One live todo, or undefined. */
export async function findCandidate(
  tx: Transaction,
  goalId: string,
  todoId: string,
): Promise<CandidateTodo | undefined> {
  const rows = await tx.all<CandidateRow>(`SELECT ${COLUMNS} FROM todos WHERE ${LIVE} AND todo_id = ?`, goalId, todoId);
  const [candidate] = await withDependencies(tx, goalId, rows);
  return candidate;
}

async function withDependencies(
  tx: Transaction,
  goalId: string,
  rows: readonly CandidateRow[],
): Promise<readonly CandidateTodo[]> {
  const decoded = rows.map((row) => decodePart(TODOS, row));
  const dependent = decoded.filter((row) => row.depends_on.length > 0).map((row) => row.todo_id);
  const unmet = await loadUnmetDependencies(tx, goalId, dependent);
  return decoded.map(({ depends_on: _dependsOn, ...row }) => ({
    ...row,
    unmet_dependencies: unmet.get(row.todo_id) ?? [],
    left_out: 0,
  }));
}

/** Of the todos that these wait for by their resume condition: those that are done. */
export async function findDone(
  tx: Transaction,
  goalId: string,
  todos: readonly CandidateTodo[],
): Promise<ReadonlySet<string>> {
  const done = new Set<string>();
  for (const { resume } of todos) {
    if (resume === null || !resume.startsWith("todo_done:")) continue;
    const todoId = resume.slice("todo_done:".length);
    const row = await tx.get<{ status: string }>(
      "SELECT status FROM todos WHERE goal_id = ? AND todo_id = ?",
      goalId,
      todoId,
    );
    if (row?.status === "done") done.add(todoId);
  }
  return done;
}
