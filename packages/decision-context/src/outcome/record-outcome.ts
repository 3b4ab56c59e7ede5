import { refuse, type Refusal } from "@loopx/contracts";
import type { Transaction } from "@loopx/store";
import { findLatestPrepared, saveOutcome } from "../review/prepared-review-rows.ts";
import { checkpointRefOf } from "../review/prepared-review.ts";
import type { ReviewEvents } from "../review/review-events.ts";
import { refuseUnknownDecision } from "../review/settle-review.ts";
import { toOutcomeFeedback, type OutcomeFeedback } from "./outcome-feedback.ts";
import { toOutcomeReceipt, type OutcomeDraft, type OutcomeReceipt } from "./outcome-receipt.ts";

export interface OutcomeRequest {
  readonly goalId: string;
  readonly decisionId: string;
  readonly draft: OutcomeDraft;
  readonly recordedAt: string;
  readonly isExecuted: boolean;
}

export interface RecordedOutcome {
  readonly ok: true;
  readonly outcome: OutcomeReceipt;
  readonly feedback: OutcomeFeedback;
  readonly changed: boolean;
}

/**
 * Records what came of an approved decision, in the caller's transaction. A later look replaces an earlier one.
 *
 * Refuses with `unknown_decision`, `review_open` where it is not approved, `invalid_value` for an option nobody proposed.
 */
export async function recordOutcome(
  tx: Transaction,
  request: OutcomeRequest,
  events: ReviewEvents,
): Promise<RecordedOutcome | Refusal> {
  const { goalId, decisionId, draft } = request;
  const prepared = await findLatestPrepared(tx, goalId, decisionId);
  if (prepared === undefined) return refuseUnknownDecision(goalId, decisionId);
  const review = await events.find(tx, goalId, checkpointRefOf(prepared));
  const { proposal } = prepared;
  if (proposal === null || review?.disposition !== "approve") {
    return refuse("review_open", {
      message: "only an approved decision has an outcome, and this one is not settled as approved",
      hint:
        review === undefined
          ? "settle it first: loopx decision-context settle-review"
          : "prepare another proposal, if the question is still open: loopx decision-context prepare-review",
      details: { decision_id: decisionId, disposition: review?.disposition ?? null },
    });
  }
  const options = [proposal.recommended_decision.option_id, ...proposal.alternatives.map((one) => one.alternative_id)];
  if (!options.includes(draft.accepted_decision.option_id)) {
    return refuse("invalid_value", {
      message: `/accepted_decision/option_id names no option of the proposal; it has ${options.join(", ")}`,
      details: { field: "outcome_json" },
    });
  }
  // What was recorded before in the same words keeps its time: the same again is already so.
  const again = prepared.outcome && toOutcomeReceipt(proposal, prepared.outcome.recorded_at, draft);
  const isSame = again !== null && again.packet_ref === prepared.outcome?.packet_ref;
  const outcome = isSame ? again : toOutcomeReceipt(proposal, request.recordedAt, draft);
  const answer = { ok: true, outcome, feedback: toOutcomeFeedback(prepared.assembly, outcome) } as const;
  if (isSame || !request.isExecuted) return { ...answer, changed: false };
  const appended = await events.append(tx, "decision_outcome_recorded.v1", {
    ...review,
    outcome_receipt_ref: outcome.packet_ref,
    outcome_status: outcome.verification_status,
  });
  if (!appended.ok) return appended;
  await saveOutcome(tx, prepared, outcome);
  return { ...answer, changed: true };
}
