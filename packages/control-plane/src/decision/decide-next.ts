import { addMs, LoopxError, type Instant } from "@loopx/contracts";
import { isTerminal } from "../todos/todo.ts";
import { REPLAN } from "../turns/turn.ts";
import { holdByContext } from "./context-fact.ts";
import { decideIdle } from "./decide-idle.ts";
import {
  RELEASED_TURNS_LIMIT,
  type CandidateTodo,
  type DecidedNext,
  type Decision,
  type DecisionFacts,
} from "./decision.ts";
import { findHold } from "./runnable-todo.ts";
import { selectTodo } from "./select-todo.ts";

/**
 * Answers what one agent may do next. Pure: the same facts and clock give the same answer.
 *
 * The goal's own state comes first, then the turn already open, then the budget of a new one, and at last the facts that the
 * work needs.
 */
export function decideNext(facts: DecisionFacts, now: Instant): DecidedNext {
  const decided = decideOnState(facts, now);
  const held = holdByContext(facts.context, decided.decision, now);
  return held === undefined ? decided : { ...decided, decision: held };
}

function decideOnState(facts: DecisionFacts, now: Instant): DecidedNext {
  const ended = decideByGoal(facts);
  if (ended !== undefined) return { decision: ended, endsOpenTurn: null };
  const open = decideOpenTurn(facts, now);
  if (open.decision !== undefined) return { decision: open.decision, endsOpenTurn: open.endsOpenTurn };
  return { decision: decideNewTurn(facts, open.endsOpenTurn, now), endsOpenTurn: open.endsOpenTurn };
}

function decideByGoal(facts: DecisionFacts): Decision | undefined {
  switch (facts.goal.status) {
    case "active":
      return undefined;
    case "paused":
      return { kind: "paused" };
    case "completed":
      return { kind: "done", reason: "goal_completed" };
    case "stopped":
      return { kind: "done", reason: "goal_stopped" };
    default:
      throw toUnknownStatusError(facts.goal.status);
  }
}

/** A word that no LoopX wrote: the state cannot be acted on. */
function toUnknownStatusError(status: never): LoopxError {
  return new LoopxError("store_corrupt", {
    message: "the goal has a status that is none of ours",
    hint: "loopx restore --execute",
    details: { status: String(status) },
  });
}

interface OpenTurnDecision {
  readonly decision: Decision | undefined;
  readonly endsOpenTurn: DecidedNext["endsOpenTurn"];
}

const NO_OPEN_TURN: OpenTurnDecision = { decision: undefined, endsOpenTurn: null };
const RELEASES: OpenTurnDecision = { decision: undefined, endsOpenTurn: "released" };

function decideOpenTurn(facts: DecisionFacts, now: Instant): OpenTurnDecision {
  const turn = facts.openTurn;
  if (turn === null) return NO_OPEN_TURN;
  const hasExpired = turn.lease_expires_at <= now;
  const isHeld = facts.holder.turnId === turn.turn_id || facts.holder.label === turn.holder;
  if (!isHeld && !hasExpired) {
    return {
      decision: { kind: "wait", reason: "turn_open_elsewhere", until: turn.lease_expires_at },
      endsOpenTurn: null,
    };
  }
  if (!isHeld) return facts.openTurnHasEvidence ? { decision: undefined, endsOpenTurn: "lapsed" } : RELEASES;
  if (facts.openTurnHasEvidence) return resumeWithEvidence(facts, now);
  if (hasExpired) return RELEASES;
  if (turn.todo_id === REPLAN) return { decision: { kind: "replan", turn: "resume" }, endsOpenTurn: null };
  const todo = facts.todos.find((candidate) => candidate.todo_id === turn.todo_id);
  const isStillMine = todo?.claimed_by === turn.agent_id && todo.claim_epoch === turn.claim_epoch;
  if (todo === undefined || !isStillMine || findHold(todo, facts, now).by !== "nothing") return RELEASES;
  return resume(turn.todo_id, turn.claim_epoch);
}

/** Work was shown: finish the todo under the same turn if it is still this agent's, else only the charge is left. */
function resumeWithEvidence(facts: DecisionFacts, now: Instant): OpenTurnDecision {
  const turn = facts.openTurn;
  if (turn === null) return NO_OPEN_TURN;
  const unsettled: OpenTurnDecision = {
    decision: { kind: "repair", code: "turn_not_settled", turnId: turn.turn_id },
    endsOpenTurn: null,
  };
  const stored = facts.openTurnTodo;
  if (turn.todo_id === REPLAN || stored === null || isTerminal(stored)) return unsettled;
  const todo = facts.todos.find((candidate) => candidate.todo_id === turn.todo_id);
  const isStillMine = stored.claimed_by === turn.agent_id && stored.claim_epoch === turn.claim_epoch;
  if (todo === undefined || !isStillMine || findHold(todo, facts, now).by !== "nothing") return unsettled;
  return resume(turn.todo_id, turn.claim_epoch);
}

function resume(todoId: string, epoch: number): OpenTurnDecision {
  return {
    decision: { kind: "run", todoId, selectedBy: "turn_in_progress", turn: "resume", epoch },
    endsOpenTurn: null,
  };
}

function decideNewTurn(facts: DecisionFacts, ended: DecidedNext["endsOpenTurn"], now: Instant): Decision {
  if (facts.releasedInARow + (ended === "released" ? 1 : 0) >= RELEASED_TURNS_LIMIT) {
    return { kind: "repair", code: "turns_unsettled", turnId: facts.openTurn?.turn_id ?? null };
  }
  const runnable = facts.todos.filter((todo) => isWork(todo) && findHold(todo, facts, now).by === "nothing");
  const selected = selectTodo(runnable, facts.agentId, now);
  if (selected === undefined) {
    const idle = decideIdle(facts, now);
    return idle.kind === "replan" ? (decideByBudget(facts, ended, now) ?? idle) : idle;
  }
  const throttled = decideByBudget(facts, ended, now);
  if (throttled !== undefined) return throttled;
  const { todo, selectedBy } = selected;
  const epoch = selectedBy === "my_claim" ? todo.claim_epoch : todo.claim_epoch + 1;
  return { kind: "run", todoId: todo.todo_id, selectedBy, turn: "open", epoch };
}

function isWork(todo: CandidateTodo): boolean {
  return todo.role === "agent" && (todo.task_class === "advancement_task" || todo.task_class === "monitor");
}

function decideByBudget(facts: DecisionFacts, ended: DecidedNext["endsOpenTurn"], now: Instant): Decision | undefined {
  const { budget_total_turns: total, budget_window_turns: inWindow, budget_window_ms: windowMs } = facts.goal;
  const released = ended === "released" ? facts.openTurn : null;
  if (total !== null && facts.turnsUsed - (released === null ? 0 : 1) >= total) {
    return { kind: "throttled", reason: "budget_total", until: null };
  }
  if (inWindow === null || windowMs === null) return undefined;
  // A turn opened before the window did not count in it, so its release frees nothing there.
  const isFreed = released !== null && released.opened_at > addMs(now, -windowMs);
  if (facts.turnsUsedInWindow - (isFreed ? 1 : 0) < inWindow) return undefined;
  const until = facts.oldestInWindowAt === null ? null : addMs(facts.oldestInWindowAt, windowMs);
  return { kind: "throttled", reason: "budget_window", until };
}
