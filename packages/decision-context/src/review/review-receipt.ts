import { toCapability } from "../evidence/evidence-packet.ts";
import { toPacketRef } from "../fingerprints/references.ts";
import type { GateVerdict } from "./gate-decisions.ts";
import type { PreparedReview } from "./prepared-review.ts";

export type Disposition = "approve" | "reject" | "defer" | "no_change";

/** What was decided on which evidence, and by what authority, `decision_review_receipt_v0`. */
export interface ReviewReceipt {
  readonly schema_version: "decision_review_receipt_v0";
  readonly goal_id: string;
  readonly decision_id: string;
  readonly evidence_packet_ref: string;
  readonly recorded_at: string;
  readonly disposition: Disposition;
  readonly actor_ref: string;
  readonly reason_code: string;
  readonly summary: string;
  readonly proposal_packet_ref: string | null;
  readonly gate_todo_id: string | null;
  readonly source_event_id: string | null;
  readonly visibility: "public_safe";
  readonly capability: ReturnType<typeof toCapability<"review_receipt">>;
  readonly authority_confirmation_required: boolean;
  readonly authority_confirmed: boolean;
  readonly quiet_noop: boolean;
  readonly outcome_observation_required: boolean;
  /** A deferral answers nothing yet, so what was read stays unread. */
  readonly cursor_commit_allowed: boolean;
  readonly external_writes_performed: false;
  readonly raw_context_captured: false;
  readonly credentials_captured: false;
  readonly packet_ref: string;
}

/** What whoever settles says of it. */
export interface ReviewWords {
  readonly actorRef: string;
  readonly reasonCode: string;
  readonly summary: string;
}

/** `verdict`: of the proposal's owner; null where there was no proposal. */
export function toReviewReceipt(
  { assembly, proposal }: PreparedReview,
  verdict: GateVerdict | null,
  words: ReviewWords,
): ReviewReceipt {
  const disposition = verdict === null ? "no_change" : verdict.disposition;
  const receipt = {
    schema_version: "decision_review_receipt_v0",
    goal_id: assembly.goal_id,
    decision_id: assembly.decision_id,
    evidence_packet_ref: assembly.evidence_packet.packet_ref,
    recorded_at: verdict === null ? assembly.observed_at : verdict.decidedAt,
    disposition,
    actor_ref: words.actorRef,
    reason_code: words.reasonCode,
    summary: words.summary,
    proposal_packet_ref: proposal?.packet_ref ?? null,
    gate_todo_id: verdict?.gateTodoId ?? null,
    source_event_id: verdict === null ? null : `gate_decided.v1:${verdict.gateTodoId}:${verdict.decidedAt}`,
    visibility: "public_safe",
    capability: toCapability("review_receipt"),
    authority_confirmation_required: verdict !== null,
    authority_confirmed: verdict !== null,
    quiet_noop: verdict === null,
    outcome_observation_required: disposition === "approve",
    cursor_commit_allowed: disposition !== "defer",
    external_writes_performed: false,
    raw_context_captured: false,
    credentials_captured: false,
  } as const;
  return { ...receipt, packet_ref: toPacketRef("decision-review", receipt) };
}
