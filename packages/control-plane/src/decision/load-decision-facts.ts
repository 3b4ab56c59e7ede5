import { addMs, type Instant } from "@loopx/contracts";
import type { SqlRow, Transaction } from "@loopx/store";
import type { Gate } from "../gates/gate.ts";
import type { Goal } from "../goals/goal.ts";
import type { Turn } from "../turns/turn.ts";
import {
  findEvidenceOfTurn,
  findLastEvidenceAt,
  findOpenTurn,
  listLatestTurns,
  loadTurnUse,
  type TurnUse,
} from "../turns/turn-rows.ts";
import { REPLAN } from "../turns/turn.ts";
import {
  FRUITLESS_REPLANS_LIMIT,
  RELEASED_TURNS_LIMIT,
  type CandidateTodo,
  type DecisionFacts,
  type GateFact,
} from "./decision.ts";

/** Reads everything the decision is made from, within the caller's transaction. */
export async function loadDecisionFacts(
  tx: Transaction,
  goal: Goal,
  caller: { readonly agentId: string; readonly holder: DecisionFacts["holder"] },
  now: Instant,
): Promise<DecisionFacts> {
  const { agentId, holder } = caller;
  const openTurn = (await findOpenTurn(tx, goal.goal_id, agentId)) ?? null;
  const evidence = openTurn && (await findEvidenceOfTurn(tx, goal.goal_id, openTurn.turn_id));
  const latest = await listLatestTurns(tx, goal.goal_id, { agentId, limit: RECENT_TURNS });
  const use = await loadUse(tx, goal, now);
  const todos = await listCandidates(tx, goal.goal_id);
  return {
    goal,
    agentId,
    holder,
    openTurn,
    openTurnHasEvidence: Boolean(evidence),
    openTurnTodo: openTurn && (await findTurnTodo(tx, openTurn)),
    releasedInARow: countReleased(latest, await findLastEvidenceAt(tx, goal.goal_id, agentId)),
    replansInARow: await countFruitlessReplans(tx, latest),
    turnsUsed: use.total,
    turnsUsedInWindow: use.inWindow,
    oldestInWindowAt: use.oldestInWindowAt,
    todos,
    doneTodoIds: await findDone(tx, goal.goal_id, todos),
    gates: await listGateFacts(tx, goal.goal_id, todos),
  };
}

/** Enough to see both limits past one turn that is still open. */
const RECENT_TURNS = Math.max(RELEASED_TURNS_LIMIT, FRUITLESS_REPLANS_LIMIT) + 1;

async function loadUse(tx: Transaction, goal: Goal, now: Instant): Promise<TurnUse> {
  if (goal.budget_total_turns === null && goal.budget_window_ms === null) {
    return { total: 0, inWindow: 0, oldestInWindowAt: null };
  }
  const windowStart = goal.budget_window_ms === null ? null : addMs(now, -goal.budget_window_ms);
  return loadTurnUse(tx, goal.goal_id, windowStart);
}

interface CandidateRow extends Omit<CandidateTodo, "unmet_dependencies"> {
  readonly todo_id: string;
}

async function listCandidates(tx: Transaction, goalId: string): Promise<readonly CandidateTodo[]> {
  const rows = await tx.all<CandidateRow>(
    "SELECT todo_id, role, task_class, status, priority, position, action_kind, claimed_by, claim_epoch, " +
      "claim_expires_at, resume, due_at FROM todos WHERE goal_id = ? AND status IN ('open', 'blocked', 'deferred') " +
      "AND task_class <> 'user_gate' ORDER BY priority, position",
    goalId,
  );
  const unmet = await loadUnmetDependencies(tx, goalId);
  return rows.map((row) => ({ ...row, unmet_dependencies: unmet.get(row.todo_id) ?? NONE }));
}

const NONE: readonly string[] = [];

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

async function findDone(
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

/** Every gate that still holds something, and the approved ones that a live restricted todo needs. */
async function listGateFacts(
  tx: Transaction,
  goalId: string,
  todos: readonly CandidateTodo[],
): Promise<readonly GateFact[]> {
  const needsApprovals = todos.some((todo) => todo.action_kind !== null);
  const rows = await tx.all<SqlRow & { todo_id: string; gate: string }>(
    "SELECT todo_id, gate FROM todos WHERE goal_id = ? AND task_class = 'user_gate' AND status " +
      (needsApprovals ? "<> 'superseded'" : "IN ('open', 'blocked', 'deferred')") +
      " ORDER BY priority, position",
    goalId,
  );
  return rows.map((row) => {
    const gate = JSON.parse(row.gate) as Gate;
    return {
      todo_id: row.todo_id,
      kind: gate.kind,
      blocks: gate.blocks,
      decision: gate.decision,
      ask_again_at: gate.ask_again_at,
    };
  });
}

async function findTurnTodo(tx: Transaction, turn: Turn): Promise<DecisionFacts["openTurnTodo"]> {
  if (turn.todo_id === REPLAN) return null;
  const row = await tx.get<NonNullable<DecisionFacts["openTurnTodo"]>>(
    "SELECT status, claimed_by, claim_epoch FROM todos WHERE goal_id = ? AND todo_id = ?",
    turn.goal_id,
    turn.todo_id,
  );
  return row ?? null;
}

function countReleased(latest: readonly Turn[], lastEvidenceAt: Instant | undefined): number {
  let count = 0;
  for (const turn of latest) {
    if (turn.state === "open") continue;
    const isAnswered = lastEvidenceAt !== undefined && lastEvidenceAt > turn.opened_at;
    if (turn.state !== "released" || isAnswered) break;
    count += 1;
  }
  return count;
}

async function countFruitlessReplans(tx: Transaction, latest: readonly Turn[]): Promise<number> {
  let count = 0;
  for (const turn of latest) {
    if (turn.state === "open") continue;
    if (turn.todo_id !== REPLAN || (await hasWrittenTodoSince(tx, turn))) break;
    count += 1;
  }
  return count;
}

async function hasWrittenTodoSince(tx: Transaction, turn: Turn): Promise<boolean> {
  const row = await tx.get(
    "SELECT todo_id FROM todos WHERE goal_id = ? AND created_by = ? AND created_at >= ? LIMIT 1",
    turn.goal_id,
    `agent:${turn.agent_id}`,
    turn.opened_at,
  );
  return row !== undefined;
}
