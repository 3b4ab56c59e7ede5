import { refuse, type Refusal } from "@loopx/contracts";
import type { Transaction } from "@loopx/store";
import { findGoal } from "./goal-rows.ts";
import type { Goal } from "./goal.ts";

export interface LoadedGoal {
  readonly ok: true;
  readonly goal: Goal;
}

/** The goal, or `unknown_goal`. */
export async function loadGoal(tx: Transaction, goalId: string): Promise<LoadedGoal | Refusal> {
  const goal = await findGoal(tx, goalId);
  if (goal !== undefined) return { ok: true, goal };
  return refuse("unknown_goal", { message: "no goal has this id in this project", details: { goal_id: goalId } });
}

/** The goal while it still takes work: active or paused, else `goal_not_active`. */
export async function loadOpenGoal(tx: Transaction, goalId: string): Promise<LoadedGoal | Refusal> {
  const loaded = await loadGoal(tx, goalId);
  if (!loaded.ok || loaded.goal.status === "active" || loaded.goal.status === "paused") return loaded;
  return refuse("goal_not_active", {
    message: `the goal is ${loaded.goal.status} and takes no more work`,
    details: { goal_id: goalId, status: loaded.goal.status },
  });
}

/** Refuses what would begin something new in a paused goal: nothing does until an owner resumes it. */
export function checkNotPaused(goal: Goal, what: string): Refusal | undefined {
  if (goal.status !== "paused") return undefined;
  return refuse("goal_not_active", {
    message: `the goal is paused: ${what}`,
    details: { goal_id: goal.goal_id, status: goal.status },
  });
}
