import { refuse, type Ambient, type Refusal } from "@loopx/contracts";
import type { Database } from "@loopx/store";
import type { Actor } from "../agents/agent.ts";
import { accept, changeGoal } from "../events/commit-changes.ts";
import { parseObjective } from "./change-goal.ts";
import { findGoal } from "./goal-rows.ts";
import type { Goal } from "./goal.ts";
import { refuseCredential } from "../todos/check-todo-text.ts";

export interface CreateGoalRequest {
  readonly goalId: string;
  readonly objective: string;
  readonly actor: Actor;
}

export interface CreatedGoal {
  readonly ok: true;
  readonly goal: Goal;
  readonly alreadyExists: boolean;
}

/**
 * Creates a goal, or answers the one that has this id and objective already.
 *
 * Refuses with `goal_id_taken` when the id is in use with another objective, and with what `parseObjective` refuses.
 */
export async function createGoal(
  project: Database,
  request: CreateGoalRequest,
  ambient: Pick<Ambient, "now">,
): Promise<CreatedGoal | Refusal> {
  parseObjective(request.objective, "objective");
  refuseCredential(request.goalId, "goal_id");
  const now = ambient.now();
  return changeGoal(project, { goalId: request.goalId, actor: request.actor, now }, async (tx) => {
    const existing = await findGoal(tx, request.goalId);
    if (existing !== undefined) {
      if (existing.objective === request.objective) {
        return accept<CreatedGoal>({ ok: true, goal: existing, alreadyExists: true });
      }
      return refuse("goal_id_taken", {
        message: "this project has a goal with this id and another objective",
        hint: "give the new goal another --goal-id, or leave it out",
        details: { goal_id: request.goalId },
      });
    }
    const goal: Goal = {
      goal_id: request.goalId,
      objective: request.objective,
      status: "active",
      revision: 1,
      budget_total_turns: null,
      budget_window_turns: null,
      budget_window_ms: null,
      reason: null,
      created_at: now,
      updated_at: now,
    };
    return accept<CreatedGoal>({ ok: true, goal, alreadyExists: false }, { type: "goal_created.v1", image: goal });
  });
}
