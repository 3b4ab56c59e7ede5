import { addMs, type Instant } from "@loopx/contracts";
import type { Transaction } from "@loopx/store";
import { decodePart } from "../events/entity-table.ts";
import type { Goal } from "../goals/goal.ts";
import { TODOS } from "../todos/todo-rows.ts";
import type { Turn } from "../turns/turn.ts";
import {
  findEvidenceOfTurn,
  findLastNoteAt,
  findOpenTurn,
  listLatestTurns,
  loadTurnUse,
  type TurnUse,
} from "../turns/turn-rows.ts";
import { REPLAN } from "../turns/turn.ts";
import { findDone, listCandidates } from "./candidate-rows.ts";
import { FRUITLESS_REPLANS_LIMIT, RELEASED_TURNS_LIMIT, type CandidateTodo, type DecisionFacts } from "./decision.ts";
import { listGateFacts, listGatesOver } from "./gate-facts.ts";
import { findHold, type HoldFacts } from "./runnable-todo.ts";

/** Reads everything the decision is made from, within the caller's transaction. */
export async function loadDecisionFacts(
  tx: Transaction,
  goal: Goal,
  caller: { readonly agentId: string; readonly holder: DecisionFacts["holder"] },
  now: Instant,
): Promise<DecisionFacts> {
  const { agentId } = caller;
  const turnFacts = await loadTurnFacts(tx, goal, agentId, now);
  const todos = await listCandidates(tx, goal.goal_id, { now, todoId: turnFacts.openTurn?.todo_id ?? null });
  const doneTodoIds = await findDone(tx, goal.goal_id, todos);
  const gatesOver = await listGatesOver(tx, goal.goal_id, { agentId, todos });
  const isIdle = !todos.some((todo) => isRunnable(todo, { agentId, gates: gatesOver, doneTodoIds }, now));
  // Only who has nothing to run is told what gates ask, and all of them are gone through to count those.
  const gates = isIdle ? await listGateFacts(tx, goal.goal_id, { agentId, todos }, now) : gatesOver;
  return { goal, ...caller, ...turnFacts, todos, doneTodoIds, gates, context: null };
}

/** What the decision needs of a lane's own turns and of the goal's budget. */
export type TurnFacts = Omit<
  DecisionFacts,
  "goal" | "agentId" | "holder" | "todos" | "doneTodoIds" | "gates" | "context"
>;

/** Reads the part of the facts that is about turns: the lane's open and latest ones, and what the goal has used. */
export async function loadTurnFacts(tx: Transaction, goal: Goal, agentId: string, now: Instant): Promise<TurnFacts> {
  const latest = await listLatestTurns(tx, goal.goal_id, { agentId, limit: RECENT_TURNS });
  const openTurn = (await findOpen(tx, { goalId: goal.goal_id, agentId, latest })) ?? null;
  const evidence = openTurn && (await findEvidenceOfTurn(tx, goal.goal_id, openTurn.turn_id));
  const use = await loadUse(tx, goal, now);
  return {
    openTurn,
    openTurnHasEvidence: Boolean(evidence),
    openTurnTodo: openTurn && (await findTurnTodo(tx, openTurn)),
    releasedInARow: await countReleased(tx, latest),
    replansInARow: await countFruitlessReplans(tx, latest),
    turnsUsed: use.total,
    turnsUsedInWindow: use.inWindow,
    oldestInWindowAt: use.oldestInWindowAt,
  };
}

function isRunnable(todo: CandidateTodo, facts: HoldFacts, now: Instant): boolean {
  return todo.role === "agent" && findHold(todo, facts, now).by === "nothing";
}

/** Enough to see both limits past one turn that is still open. */
export const RECENT_TURNS = Math.max(RELEASED_TURNS_LIMIT, FRUITLESS_REPLANS_LIMIT) + 1;

/** Mostly it is among the latest, or those are all there are. Clocks may go back, so of a longer list the store is asked. */
async function findOpen(
  tx: Transaction,
  { goalId, agentId, latest }: { readonly goalId: string; readonly agentId: string; readonly latest: readonly Turn[] },
): Promise<Turn | undefined> {
  const open = latest.find((turn) => turn.state === "open");
  return open !== undefined || latest.length < RECENT_TURNS ? open : findOpenTurn(tx, goalId, agentId);
}

async function loadUse(tx: Transaction, goal: Goal, now: Instant): Promise<TurnUse> {
  if (goal.budget_total_turns === null && goal.budget_window_ms === null) {
    return { total: 0, inWindow: 0, oldestInWindowAt: null };
  }
  const windowStart = goal.budget_window_ms === null ? null : addMs(now, -goal.budget_window_ms);
  return loadTurnUse(tx, goal.goal_id, windowStart);
}

async function findTurnTodo(tx: Transaction, turn: Turn): Promise<DecisionFacts["openTurnTodo"]> {
  if (turn.todo_id === REPLAN) return null;
  const row = await tx.get<NonNullable<DecisionFacts["openTurnTodo"]>>(
    "SELECT status, claimed_by, claim_epoch FROM todos WHERE goal_id = ? AND todo_id = ?",
    turn.goal_id,
    turn.todo_id,
  );
  return row === undefined ? null : decodePart(TODOS, row);
}

async function countReleased(tx: Transaction, latest: readonly Turn[]): Promise<number> {
  const [last] = latest.filter((turn) => turn.state !== "open");
  if (last?.state !== "released") return 0;
  const lastNoteAt = await findLastNoteAt(tx, last.goal_id, last.agent_id);
  let count = 0;
  for (const turn of latest) {
    if (turn.state === "open") continue;
    const isAnswered = lastNoteAt !== undefined && lastNoteAt > turn.opened_at;
    if (turn.state !== "released" || isAnswered) break;
    count += 1;
  }
  return count;
}

async function countFruitlessReplans(tx: Transaction, latest: readonly Turn[]): Promise<number> {
  let count = 0;
  for (const turn of latest) {
    if (turn.todo_id !== REPLAN || (await hasWrittenTodoSince(tx, turn))) break;
    count += 1;
  }
  return count;
}

/** Whether the agent of a turn has written a todo since it was opened, by the order of events: clocks may go back. */
export async function hasWrittenTodoSince(tx: Transaction, turn: Turn): Promise<boolean> {
  const written = await tx.get(
    "SELECT later.seq FROM events opened JOIN events later ON later.goal_id = opened.goal_id AND later.seq > opened.seq " +
      "WHERE opened.goal_id = ? AND opened.entity = 'turn' AND opened.entity_id = ? AND opened.type = 'turn_opened.v1' " +
      "AND later.type = 'todo_added.v1' AND later.actor = ? LIMIT 1",
    turn.goal_id,
    turn.turn_id,
    JSON.stringify({ kind: "agent", agent_id: turn.agent_id }),
  );
  return written !== undefined;
}
