import type { Instant, Refusal } from "@loopx/contracts";
import type { Transaction } from "@loopx/store";
import { checkCaller, checkNamed, type Caller } from "../agents/check-actor.ts";
import { commitChanges } from "../events/commit-changes.ts";
import { loadLastSeq } from "../events/last-seq.ts";
import { loadOpenGoal } from "../goals/load-goal.ts";
import type { DecisionReview } from "./decision-review.ts";

export interface RecordReviewRequest {
  readonly caller: Caller;
  readonly now: Instant;
  readonly type: "decision_reviewed.v1" | "decision_outcome_recorded.v1";
  readonly review: DecisionReview;
}

/**
 * Appends one review, or its outcome, to the goal's events, inside the caller's transaction: what the caller writes beside
 * it is committed with it or not at all.
 *
 * Refuses with `unknown_goal`, `goal_not_active`, `unknown_agent`, `binding_not_verified`, `missing_flag`.
 */
export async function recordReview(
  tx: Transaction,
  { caller, now, type, review }: RecordReviewRequest,
): Promise<{ readonly ok: true; readonly seq: number } | Refusal> {
  const refused = await checkReviewer(tx, review.goal_id, caller);
  if (refused !== undefined) return refused;
  await commitChanges(tx, { goalId: review.goal_id, actor: caller.actor, now }, [{ type, image: review }]);
  return { ok: true, seq: await loadLastSeq(tx, review.goal_id) };
}

/** Refuses whoever may not prepare or settle reviews of a goal: it is open, and the caller is a lane of it or an owner. */
export async function checkReviewer(tx: Transaction, goalId: string, caller: Caller): Promise<Refusal | undefined> {
  const goal = await loadOpenGoal(tx, goalId);
  if (!goal.ok) return goal;
  return checkNamed(caller) ?? checkCaller(tx, goalId, caller);
}
