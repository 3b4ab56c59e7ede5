/** One goal of the project, as the store lists it. */
export interface GoalFact {
  readonly goalId: string;
  readonly objective: string;
  readonly status: "active" | "paused" | "completed" | "stopped";
}

export interface GoalSelectionFacts {
  readonly isConnected: boolean;
  readonly goals: readonly GoalFact[];
  readonly goalId: string | undefined;
  /** The caller's explicit wish for another goal beside those that exist. */
  readonly newGoal: boolean;
  /** The id that a new goal gets when the caller names none; unique on this machine. */
  readonly proposedGoalId: string;
}

/** Which goal the text is for, or why that has to be asked. */
export type GoalSelection =
  | { readonly kind: "new_goal"; readonly goalId: string }
  | { readonly kind: "existing_goal"; readonly goalId: string }
  | {
      readonly kind: "gate";
      readonly state: "selection_required" | "unknown_goal" | "goal_closed" | "goal_exists";
      readonly candidates: readonly GoalFact[];
    };

/**
 * Decides which goal a task text is planned for.
 *
 * A single open goal is taken as it is; completed and stopped goals take no new work; several open goals are never guessed
 * among. Callers load the agents and the thread binding of the goal named here before they render a packet.
 */
export function decideGoalSelection(facts: GoalSelectionFacts): GoalSelection {
  const candidates = facts.goals.filter((goal) => goal.status === "active" || goal.status === "paused");
  const named = facts.goals.find((goal) => goal.goalId === facts.goalId);
  if (facts.newGoal && named !== undefined) return { kind: "gate", state: "goal_exists", candidates };
  if (facts.newGoal || !facts.isConnected) return { kind: "new_goal", goalId: facts.goalId ?? facts.proposedGoalId };
  if (facts.goalId !== undefined) {
    if (named === undefined) return { kind: "gate", state: "unknown_goal", candidates };
    if (!candidates.includes(named)) return { kind: "gate", state: "goal_closed", candidates };
    return { kind: "existing_goal", goalId: named.goalId };
  }
  const [only, ...others] = candidates;
  if (only === undefined) return { kind: "new_goal", goalId: facts.proposedGoalId };
  if (others.length > 0) return { kind: "gate", state: "selection_required", candidates };
  return { kind: "existing_goal", goalId: only.goalId };
}
