import type { Instant } from "@loopx/contracts";

export const REVIEW_DISPOSITIONS = ["approve", "reject", "defer", "no_change"] as const;

/**
 * What was decided on one checkpoint of evidence. All but a deferral settles it for good; a deferred one waits and may be
 * settled later. References are opaque: the packets they name are decision context's.
 */
export interface DecisionReview {
  readonly goal_id: string;
  readonly checkpoint_ref: string;
  readonly decision_id: string;
  readonly evidence_packet_ref: string;
  readonly proposal_packet_ref: string | null;
  readonly review_receipt_ref: string;
  readonly disposition: (typeof REVIEW_DISPOSITIONS)[number];
  readonly actor_ref: string;
  readonly reason_code: string;
  readonly summary: string;
  /** The gate whose verdict this is; null where nothing had to be decided. */
  readonly gate_todo_id: string | null;
  readonly recorded_at: Instant;
  /** The reference of the outcome receipt, once an outcome was recorded. */
  readonly outcome_receipt_ref: string | null;
  readonly outcome_status: (typeof OUTCOME_STATUSES)[number] | null;
}

export const OUTCOME_STATUSES = ["pending", "verified", "refuted", "inconclusive"] as const;
