import type { Instant } from "@loopx/contracts";
import type { Transaction } from "@loopx/store";
import { findAgent } from "../agents/agent-rows.ts";
import { listGoals } from "../goals/goal-rows.ts";
import { loadGoalOverview, type GoalOverview, type OverviewQuery } from "./goal-overview.ts";
import { listProgress, type Progress } from "./overview-rows.ts";

/** One project as the views over all projects show it: of one moment, since it is read in one transaction. */
export interface ProjectOverview {
  /** The goals that are active or paused, oldest first. */
  readonly openGoals: readonly GoalOverview[];
  readonly closedGoals: readonly { readonly goalId: string; readonly progress: readonly Progress[] }[];
}

/**
 * Reads the goals of a project that this machine has registered for it, within the caller's transaction.
 *
 * With an agent: only goals in which exactly that lane is registered.
 */
export async function loadProjectOverview(
  tx: Transaction,
  query: OverviewQuery & { readonly goalIds: ReadonlySet<string> },
  now: Instant,
): Promise<ProjectOverview> {
  const { agentId, goalIds, progressSince } = query;
  const openGoals: GoalOverview[] = [];
  const closedGoals: { goalId: string; progress: readonly Progress[] }[] = [];
  for (const goal of await listGoals(tx)) {
    const { goal_id: goalId } = goal;
    if (!goalIds.has(goalId)) continue;
    if (agentId !== null && (await findAgent(tx, goalId, agentId)) === undefined) continue;
    if (goal.status === "active" || goal.status === "paused") {
      openGoals.push(await loadGoalOverview(tx, goal, query, now));
    } else {
      const progress = progressSince === null ? [] : await listProgress(tx, goalId, progressSince);
      closedGoals.push({ goalId, progress });
    }
  }
  return { openGoals, closedGoals };
}
