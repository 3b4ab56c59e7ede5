import type { Transaction } from "@loopx/store";
import { anyText, instant, oneOf, orNull } from "../events/column-rule.ts";
import { decodeRow, selectFrom, type EntityTable } from "../events/entity-table.ts";
import { OUTCOME_STATUSES, REVIEW_DISPOSITIONS, type DecisionReview } from "./decision-review.ts";

export const DECISION_REVIEWS: EntityTable<DecisionReview> = {
  name: "decision_reviews",
  key: ["goal_id", "checkpoint_ref"],
  columns: {
    goal_id: anyText,
    checkpoint_ref: anyText,
    decision_id: anyText,
    evidence_packet_ref: anyText,
    proposal_packet_ref: orNull(anyText),
    review_receipt_ref: anyText,
    disposition: oneOf(REVIEW_DISPOSITIONS),
    actor_ref: anyText,
    reason_code: anyText,
    summary: anyText,
    gate_todo_id: orNull(anyText),
    recorded_at: instant,
    outcome_receipt_ref: orNull(anyText),
    outcome_status: oneOf([null, ...OUTCOME_STATUSES]),
  },
  json: [],
  flags: [],
};

export async function findDecisionReview(
  tx: Transaction,
  goalId: string,
  checkpointRef: string,
): Promise<DecisionReview | undefined> {
  const row = await tx.get(
    `${selectFrom(DECISION_REVIEWS)} WHERE goal_id = ? AND checkpoint_ref = ?`,
    goalId,
    checkpointRef,
  );
  return row && decodeRow(DECISION_REVIEWS, row);
}
