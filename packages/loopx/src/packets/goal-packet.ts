import { cutText, formatDuration, LIMITS } from "@loopx/contracts";
import type { Goal } from "@loopx/control-plane";
import { renderQuantity } from "./render-facts.ts";

/** A goal in a list: its objective cut, limits only where one is set. */
export function toGoalPacket(goal: Goal): object {
  const shown = cutText(goal.objective, LIMITS.todoTextShown);
  return {
    goal_id: goal.goal_id,
    status: goal.status,
    revision: goal.revision,
    objective: shown.text,
    ...(shown.isTruncated ? { objective_truncated: true } : {}),
    ...(goal.reason === null ? {} : { reason: goal.reason }),
    ...toBudget(goal),
  };
}

/** A goal whole. */
export function toFullGoalPacket(goal: Goal): object {
  return {
    goal_id: goal.goal_id,
    status: goal.status,
    revision: goal.revision,
    objective: goal.objective,
    ...(goal.reason === null ? {} : { reason: goal.reason }),
    ...toBudget(goal),
    created_at: goal.created_at,
    updated_at: goal.updated_at,
  };
}

function toBudget(goal: Goal): object {
  return {
    ...(goal.budget_total_turns === null ? {} : { budget_total_turns: goal.budget_total_turns }),
    ...(goal.budget_window_turns === null || goal.budget_window_ms === null
      ? {}
      : { budget_window_turns: goal.budget_window_turns, budget_window: formatDuration(goal.budget_window_ms) }),
  };
}

/** `2 of 10 turns used, 1 of them open, 20 in 1d`: an open turn counts from the beginning, charged or not. */
export function renderTurnUse(goal: Goal, use: { readonly total: number; readonly openCount: number }): string {
  const { budget_total_turns: total } = goal;
  const used = total === null ? renderQuantity(use.total, "turn") : `${use.total} of ${renderQuantity(total, "turn")}`;
  const open = use.openCount === 0 ? "" : `, ${use.openCount} of them open`;
  const limits = total === null ? renderBudget(goal) : renderBudget({ ...goal, budget_total_turns: null });
  const others = total !== null && goal.budget_window_turns === null ? "" : `, ${limits}`;
  return `${used} used${open}${others}`;
}

/** `200 turns in all, 20 in 1d`, or that there is no limit. */
export function renderBudget(goal: Goal): string {
  const limits: string[] = [];
  if (goal.budget_total_turns !== null) limits.push(`${renderQuantity(goal.budget_total_turns, "turn")} in all`);
  if (goal.budget_window_turns !== null && goal.budget_window_ms !== null) {
    limits.push(`${goal.budget_window_turns} in ${formatDuration(goal.budget_window_ms)}`);
  }
  return limits.length === 0 ? "no limit" : limits.join(", ");
}
