import { toPacketRef } from "../fingerprints/references.ts";
import { checkpointRefOf, type PreparedReview } from "./prepared-review.ts";
import type { ReviewReceipt } from "./review-receipt.ts";

/** What settling a review did to the cursors, `decision_cursor_commit_receipt_v0`: references, no cursor. */
export interface CursorCommit {
  readonly schema_version: "decision_cursor_commit_receipt_v0";
  readonly goal_id: string;
  readonly decision_id: string;
  readonly checkpoint_ref: string;
  readonly evidence_packet_ref: string;
  readonly proposal_packet_ref: string | null;
  readonly review_receipt_ref: string;
  readonly outcome_receipt_ref: null;
  readonly settlement_disposition: ReviewReceipt["disposition"];
  readonly lifecycle_event_seq: number | null;
  readonly status: "committed" | "replayed";
  readonly source_count: number;
  readonly sources: readonly CommittedSource[];
  readonly cursor_state_mutated: boolean;
  readonly readback_verified: boolean;
  readonly visibility: "public_safe";
  readonly core_state_mutated: boolean;
  readonly private_cursor_state_written: boolean;
  readonly raw_cursors_captured: false;
  readonly private_paths_captured: false;
  readonly raw_context_captured: false;
  readonly credentials_captured: false;
  readonly receipt_ref: string;
}

interface CommittedSource {
  readonly source_id: string;
  readonly cursor_before_ref: string | null;
  readonly cursor_after_ref: string | null;
  readonly status: "advanced" | "unchanged" | "preserved";
}

export function toCursorCommit(
  prepared: PreparedReview,
  receipt: ReviewReceipt,
  {
    status,
    seq,
    isReadBack,
  }: { readonly status: CursorCommit["status"]; readonly seq: number | null; readonly isReadBack: boolean },
): CursorCommit {
  const sources = listSources(prepared, receipt.cursor_commit_allowed);
  const isMoved = status === "committed" && sources.some((source) => source.status === "advanced");
  const commit = {
    schema_version: "decision_cursor_commit_receipt_v0",
    goal_id: receipt.goal_id,
    decision_id: receipt.decision_id,
    checkpoint_ref: checkpointRefOf(prepared),
    evidence_packet_ref: receipt.evidence_packet_ref,
    proposal_packet_ref: receipt.proposal_packet_ref,
    review_receipt_ref: receipt.packet_ref,
    outcome_receipt_ref: null,
    settlement_disposition: receipt.disposition,
    lifecycle_event_seq: seq,
    status,
    source_count: sources.length,
    sources,
    cursor_state_mutated: isMoved,
    readback_verified: isReadBack,
    visibility: "public_safe",
    core_state_mutated: status === "committed",
    private_cursor_state_written: isMoved,
    raw_cursors_captured: false,
    private_paths_captured: false,
    raw_context_captured: false,
    credentials_captured: false,
  } as const;
  return { ...commit, receipt_ref: toPacketRef("decision-cursor-commit", commit) };
}

function listSources({ assembly, proposedCursors }: PreparedReview, mayCommit: boolean): readonly CommittedSource[] {
  const rows = assembly.cursor_checkpoint.sources.filter(({ source_id }) => Object.hasOwn(proposedCursors, source_id));
  return rows.map(({ source_id, cursor_before_ref, cursor_after_ref }) => {
    const moved = cursor_before_ref === cursor_after_ref ? "unchanged" : "advanced";
    return { source_id, cursor_before_ref, cursor_after_ref, status: mayCommit ? moved : "preserved" };
  });
}
