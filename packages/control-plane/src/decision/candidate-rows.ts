import type { Instant } from "@loopx/contracts";
import type { SqlValue, Transaction } from "@loopx/store";
import { RESTRICTED_ACTION_KINDS, type Gate } from "../gates/gate.ts";
import type { CandidateTodo, GateFact } from "./decision.ts";

const COLUMNS =
  "todo_id, role, task_class, status, priority, position, action_kind, claimed_by, claim_epoch, " +
  "claim_expires_at, resume, due_at, depends_on";

const LIVE = "goal_id = ? AND status IN ('open', 'blocked', 'deferred') AND task_class <> 'user_gate'";

type CandidateRow = Omit<CandidateTodo, "unmet_dependencies"> & { readonly depends_on: string };

/**
 * The live todos that the decision can tell apart.
 *
 * Open work that nobody holds, that waits for nothing and that no gate names differs only in its place, so of all that
 * only the first can be selected and only the first is loaded. A goal of five thousand such todos costs one row.
 */
export async function listCandidates(
  tx: Transaction,
  goalId: string,
  query: {
    readonly now: Instant;
    readonly gates: readonly GateFact[];
    /** Loaded whatever it is like: the todo of the open turn. */
    readonly todoId: string | null;
  },
): Promise<readonly CandidateTodo[]> {
  const named = [...new Set(query.gates.flatMap((gate) => gate.blocks.filter((target) => target.startsWith("todo_"))))];
  if (query.todoId !== null) named.push(query.todoId);
  const plain = `(${PLAIN}${named.length === 0 ? "" : ` AND todo_id NOT IN (${named.map(() => "?").join(", ")})`})`;
  const plainParameters: readonly SqlValue[] = [...RESTRICTED_ACTION_KINDS, query.now, query.now, ...named];
  const first = await tx.all<CandidateRow>(
    `SELECT ${COLUMNS} FROM todos WHERE ${LIVE} AND ${plain} ORDER BY priority, position LIMIT 1`,
    goalId,
    ...plainParameters,
  );
  const others = await tx.all<CandidateRow>(
    `SELECT ${COLUMNS} FROM todos WHERE ${LIVE} AND NOT ${plain} ORDER BY priority, position`,
    goalId,
    ...plainParameters,
  );
  return withDependencies(tx, goalId, [...first, ...others]);
}

/** Each test is never NULL, so that its negation takes every other row. */
const PLAIN =
  "role = 'agent' AND status = 'open' AND depends_on = '[]' " +
  `AND COALESCE(action_kind, '') NOT IN (${RESTRICTED_ACTION_KINDS.map(() => "?").join(", ")}) ` +
  "AND COALESCE(due_at, '') <= ? AND (claimed_by IS NULL OR COALESCE(claim_expires_at, '') <= ?)";

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
  const hasAny = rows.some((row) => row.depends_on !== "[]");
  const unmet = hasAny ? await loadUnmetDependencies(tx, goalId) : undefined;
  return rows.map(({ depends_on: _dependsOn, ...row }) => ({
    ...row,
    unmet_dependencies: unmet?.get(row.todo_id) ?? [],
  }));
}

async function loadUnmetDependencies(tx: Transaction, goalId: string): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = await tx.all<{ todo_id: string; depends_on_id: string }>(
    "SELECT d.todo_id, d.depends_on_id FROM todo_dependencies d " +
      "JOIN todos needed ON needed.goal_id = d.goal_id AND needed.todo_id = d.depends_on_id " +
      "WHERE d.goal_id = ? AND needed.status <> 'done' ORDER BY d.todo_id, d.depends_on_id",
    goalId,
  );
  const unmet = new Map<string, string[]>();
  for (const row of rows) {
    const needed = unmet.get(row.todo_id);
    if (needed === undefined) unmet.set(row.todo_id, [row.depends_on_id]);
    else needed.push(row.depends_on_id);
  }
  return unmet;
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

/** Every gate that holds something, and those that were approved for a restricted action. */
export async function listGateFacts(tx: Transaction, goalId: string): Promise<readonly GateFact[]> {
  const rows = await tx.all<{ todo_id: string; gate: string }>(
    "SELECT todo_id, gate FROM todos WHERE goal_id = ? AND task_class = 'user_gate' AND status <> 'superseded' " +
      "ORDER BY priority, position",
    goalId,
  );
  return rows
    .map((row) => ({ todoId: row.todo_id, gate: JSON.parse(row.gate) as Gate }))
    .filter(({ gate }) => gate.decision !== "approved" || RESTRICTED.has(gate.kind))
    .map(({ todoId, gate }) => ({
      todo_id: todoId,
      kind: gate.kind,
      blocks: gate.blocks,
      decision: gate.decision,
      ask_again_at: gate.ask_again_at,
    }));
}

const RESTRICTED: ReadonlySet<string> = new Set(RESTRICTED_ACTION_KINDS);
