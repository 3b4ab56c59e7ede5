import { LIMITS, type Instant } from "@loopx/contracts";
import type { Goal } from "../goals/goal.ts";
import type { TaskClass, TodoStatus } from "../todos/todo.ts";
import type { Turn } from "../turns/turn.ts";
import type { ContextFact } from "./context-fact.ts";

/** What the decision needs of a todo. It carries no text. */
export interface CandidateTodo {
  readonly todo_id: string;
  readonly role: "agent" | "user";
  readonly task_class: TaskClass;
  readonly status: TodoStatus;
  readonly priority: number;
  readonly position: number;
  readonly action_kind: string | null;
  readonly claimed_by: string | null;
  readonly claim_epoch: number;
  readonly claim_expires_at: Instant | null;
  readonly resume: string | null;
  readonly due_at: Instant | null;
  /** The todos it depends on that are not done. */
  readonly unmet_dependencies: readonly string[];
  /** Todos that the decision cannot tell apart from this one and that were not loaded. */
  readonly left_out: number;
}

/** What the decision needs of a gate. */
export interface GateFact {
  readonly todo_id: string;
  readonly kind: string;
  /** `goal`, this agent and loaded todos: what the decision asks about. */
  readonly blocks: readonly string[];
  readonly decision: "approved" | "rejected" | "deferred" | null;
  readonly ask_again_at: Instant | null;
  /** Whether it names live work of an agent, todo by todo. */
  readonly names_work: boolean;
  /** Gates that the decision cannot tell apart from this one and that were not loaded. */
  readonly left_out: number;
}

/** Everything the one decision is made from. Nothing else may influence it. */
export interface DecisionFacts {
  readonly goal: Goal;
  readonly agentId: string;
  /** What the caller showed to prove that a turn is theirs. */
  readonly holder: { readonly turnId: string | null; readonly label: string | null };
  readonly openTurn: Turn | null;
  readonly openTurnHasEvidence: boolean;
  /** Of the open turn's todo: its status as stored now, null for a replan turn. */
  readonly openTurnTodo: Pick<CandidateTodo, "status" | "claimed_by" | "claim_epoch"> | null;
  /** Turns of this agent that ended without evidence since it last showed any. */
  readonly releasedInARow: number;
  /** Replan turns of this agent that wrote no todo since its last turn of another kind; the open one is counted. */
  readonly replansInARow: number;
  readonly turnsUsed: number;
  readonly turnsUsedInWindow: number;
  readonly oldestInWindowAt: Instant | null;
  /** Live todos of the goal, both roles, gates excepted: of many alike ones only the first. */
  readonly todos: readonly CandidateTodo[];
  /** Of the todos that a resume condition waits for: those that are done. */
  readonly doneTodoIds: ReadonlySet<string>;
  /** By priority and written order: of many alike ones only the first. */
  readonly gates: readonly GateFact[];
  /** What was fetched for a caller that asked for context; null for one that did not. */
  readonly context: ContextFact | null;
}

/** Turns without evidence, one after another, that stop an agent until it says what happened. */
export const RELEASED_TURNS_LIMIT = LIMITS.unsettledTurnsBeforeRepair;
/** Replan turns, one after another, after which a person is asked. */
export const FRUITLESS_REPLANS_LIMIT = LIMITS.fruitlessReplansBeforeAskUser - 1;

export type SelectedBy = "turn_in_progress" | "my_claim" | "priority" | "monitor_due";

export type WaitFor =
  | "turn_open_elsewhere"
  | "claimed_by_others"
  | "monitor_not_due"
  | "deferred_until"
  | "deferred_manual"
  | "gate_deferred"
  | "context_blocked"
  | "context_outdated";

/** The closed answer of `quota should-run`, before it is rendered. */
export type Decision =
  | {
      readonly kind: "run";
      readonly todoId: string;
      readonly selectedBy: SelectedBy;
      readonly turn: "open" | "resume";
      /** The claim epoch the turn runs under. */
      readonly epoch: number;
    }
  | { readonly kind: "replan"; readonly turn: "open" | "resume" }
  | {
      readonly kind: "ask_user";
      readonly reason: "gate" | "user_action" | "blocked" | "gate_rejected" | "replan_exhausted" | "context_blocked";
      /** The first of them, by priority and written order. */
      readonly todoIds: readonly string[];
      /** How many more there are; absent when all are named. */
      readonly moreCount?: number;
    }
  | { readonly kind: "wait"; readonly reason: WaitFor; readonly until: Instant | null }
  | { readonly kind: "repair"; readonly code: "turn_not_settled" | "turns_unsettled"; readonly turnId: string | null }
  | { readonly kind: "throttled"; readonly reason: "budget_total" | "budget_window"; readonly until: Instant | null }
  | { readonly kind: "paused" }
  | { readonly kind: "done"; readonly reason: "goal_completed" | "goal_stopped" };

/** A decision and what becomes of the open turn because of it. */
export interface DecidedNext {
  readonly decision: Decision;
  /** The open turn ended: with evidence it lapses and stays settleable, without it is released. */
  readonly endsOpenTurn: "lapsed" | "released" | null;
}
