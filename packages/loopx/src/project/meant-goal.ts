import { LoopxError } from "@loopx/contracts";
import { listGoals, type Goal } from "@loopx/control-plane";
import type { Database } from "@loopx/store";

/** The id of the goal that is meant. Refuses with `unknown_goal`, `goal_selection_required`. */
export async function loadMeantGoalId(database: Database): Promise<string> {
  const goals = await database.read(listGoals);
  const only = findMeantGoal(goals);
  if (only !== undefined) return only.goal_id;
  if (goals.length === 0) {
    throw new LoopxError("unknown_goal", {
      message: "this project has no goal yet",
      hint: "start one: loopx bootstrap '--objective=<what to reach>'",
    });
  }
  const open = goals.filter(isOpenGoal);
  const meant = open.length === 0 ? goals : open;
  throw new LoopxError("goal_selection_required", {
    message: `this project has ${meant.length} ${open.length === 0 ? "goals, none of them open" : "open goals"}`,
    hint: "name one with --goal-id=GOAL: loopx goal list",
    details: { goal_ids: meant.slice(0, GOAL_IDS_SHOWN).map((goal) => goal.goal_id) },
  });
}

/** Ids that a refusal lists; there may be more. */
export const GOAL_IDS_SHOWN = 20;

/** The goal that is meant where none is named: the one that is open, else the only one. */
export function findMeantGoal(goals: readonly Goal[]): Goal | undefined {
  const open = goals.filter(isOpenGoal);
  const [only, ...others] = open.length === 0 ? goals : open;
  return others.length === 0 ? only : undefined;
}

/** Whether a goal still takes work. */
export function isOpenGoal(goal: Goal): boolean {
  return goal.status === "active" || goal.status === "paused";
}
