import type { Instant } from "@loopx/contracts";
import type { CandidateTodo } from "../decision/decision.ts";
import { findHold, type Hold, type HoldFacts } from "../decision/runnable-todo.ts";
import type { Gate } from "../gates/gate.ts";
import type { GoalStatus } from "../goals/goal.ts";

/** A live todo or gate as an overview reads it: what the decision needs of it, and its words. */
export interface LiveTodo extends CandidateTodo {
  readonly text: string;
  readonly gate: Gate | null;
}

/** Whether work can go on now, goes on again after it was put off, or is held back. */
export type Readiness = "runnable" | "deferred_ready" | "blocked";

/** What holds a todo back, in the words of the decision, or that its goal is paused. */
export type HeldBy = Exclude<Hold["by"], "nothing"> | "goal_paused";

/** A todo with its place in the work queue. */
export interface WorkItem {
  readonly todo: LiveTodo;
  readonly readiness: Readiness;
  readonly heldBy: HeldBy | null;
  /** Work that reviews other work, by a word of its action kind. */
  readonly isReview: boolean;
}

/** Who looks: a lane of the goal, or nobody in particular, who sees work that any lane may hold. */
export interface WorkView extends Omit<HoldFacts, "agentId"> {
  readonly agentId: string | null;
  readonly goalStatus: GoalStatus;
}

/**
 * Places a todo in the work queue by the rule that `quota should-run` selects by.
 *
 * To nobody in particular a claimed todo is runnable: its holder is at work on it.
 */
export function toWorkItem(todo: LiveTodo, view: WorkView, now: Instant): WorkItem {
  const heldBy = findHeldBy(todo, view, now);
  const isReview = (todo.action_kind ?? "").split("_").includes("review");
  if (heldBy !== null) return { todo, readiness: "blocked", heldBy, isReview };
  return { todo, readiness: todo.status === "deferred" ? "deferred_ready" : "runnable", heldBy, isReview };
}

/** No lane has this name, so no claim and no gate of a lane is its own. */
const NOBODY = "";

function findHeldBy(todo: LiveTodo, view: WorkView, now: Instant): HeldBy | null {
  if (view.goalStatus !== "active") return "goal_paused";
  const hold = findHold(todo, { ...view, agentId: view.agentId ?? NOBODY }, now);
  if (hold.by === "nothing" || (hold.by === "claim" && view.agentId === null)) return null;
  return hold.by;
}
