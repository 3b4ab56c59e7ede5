import type { Refusal } from "@loopx/contracts";
import type { Transaction } from "@loopx/store";
import type { Disposition } from "./review-receipt.ts";

/** One review as an entity of the goal: what its newest event says. */
export interface RecordedReview {
  readonly goal_id: string;
  readonly checkpoint_ref: string;
  readonly decision_id: string;
  readonly evidence_packet_ref: string;
  readonly proposal_packet_ref: string | null;
  readonly review_receipt_ref: string;
  readonly disposition: Disposition;
  readonly actor_ref: string;
  readonly reason_code: string;
  readonly summary: string;
  readonly gate_todo_id: string | null;
  readonly recorded_at: string;
  readonly outcome_receipt_ref: string | null;
  readonly outcome_status: "pending" | "verified" | "refuted" | "inconclusive" | null;
}

/** The goal's events, inside the transaction of whoever asks. */
export interface ReviewEvents {
  /** Refuses a caller that is neither a lane of the goal nor an owner, and a goal that is over. */
  check(tx: Transaction, goalId: string): Promise<Refusal | undefined>;
  find(tx: Transaction, goalId: string, checkpointRef: string): Promise<RecordedReview | undefined>;
  /** Appends an event with the review as its after-image; gives its number. */
  append(
    tx: Transaction,
    type: "decision_reviewed.v1" | "decision_outcome_recorded.v1",
    review: RecordedReview,
  ): Promise<{ readonly ok: true; readonly seq: number } | Refusal>;
}

/** Whether a review answered for good: a deferral waits. */
export function isSettled(review: RecordedReview | undefined): review is RecordedReview {
  return review !== undefined && review.disposition !== "defer";
}
