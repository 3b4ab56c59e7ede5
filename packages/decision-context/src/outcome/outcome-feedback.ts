import type { Assembly } from "../evidence/assembly.ts";
import { toPacketRef } from "../fingerprints/references.ts";
import type { OutcomeReceipt } from "./outcome-receipt.ts";

/** What an outcome says of the recall behind its decision, in counts, `decision_outcome_feedback_v0`. It trains nothing. */
export interface OutcomeFeedback {
  readonly schema_version: "decision_outcome_feedback_v0";
  readonly goal_id: string;
  readonly decision_id: string;
  readonly outcome_packet_ref: string;
  readonly retrieval_telemetry: {
    readonly result_count: number;
    readonly promoted_claim_count: number;
    readonly rejected_claim_count: number;
    readonly provider_status: "completed" | "unavailable" | null;
  };
  readonly outcome_telemetry: {
    readonly observed_count: number;
    readonly verified_count: number;
    readonly invalidated_assumption_count: number;
  };
  readonly reward_memory_candidate: {
    readonly eligible: boolean;
    readonly review_required: true;
    readonly reasons: readonly string[];
  };
  readonly raw_context_captured: false;
  readonly feedback_ref: string;
}

export function toOutcomeFeedback(assembly: Assembly, outcome: OutcomeReceipt): OutcomeFeedback {
  const { evidence_packet: evidence, context_retrieval_receipt: recall } = assembly;
  const reasons = listReasons(assembly, outcome);
  const feedback = {
    schema_version: "decision_outcome_feedback_v0",
    goal_id: outcome.goal_id,
    decision_id: outcome.decision_id,
    outcome_packet_ref: outcome.packet_ref,
    retrieval_telemetry: {
      result_count: recall?.result_count ?? 0,
      promoted_claim_count: evidence.recalled_claims.length,
      rejected_claim_count: evidence.stale_or_rejected_claims.length,
      provider_status: recall?.status ?? null,
    },
    outcome_telemetry: {
      observed_count: outcome.observed_outcomes.length,
      verified_count: outcome.observed_outcomes.filter(({ status }) => status === "verified").length,
      invalidated_assumption_count: outcome.invalidated_assumptions.length,
    },
    reward_memory_candidate: { eligible: reasons.length === 0, review_required: true, reasons },
    raw_context_captured: false,
  } as const;
  return { ...feedback, feedback_ref: toPacketRef("decision-feedback", feedback) };
}

/** Why nothing should be learned from this outcome without more; empty when it may be looked at. */
function listReasons({ evidence_packet: evidence }: Assembly, outcome: OutcomeReceipt): readonly string[] {
  const references = new Set([
    evidence.packet_ref,
    ...evidence.source_revisions.map((revision) => String((revision as { readonly source_ref?: string }).source_ref)),
  ]);
  const isLinked = outcome.observed_outcomes.some(
    ({ status, evidence_ref }) => status === "verified" && references.has(evidence_ref),
  );
  const checks: readonly (readonly [boolean, string])[] = [
    [outcome.verification_status === "verified", "outcome_not_verified"],
    [outcome.reward_memory_candidate_eligible, "outcome_not_candidate_eligible"],
    [evidence.recalled_claims.length > 0, "no_exact_read_promoted_claim"],
    [isLinked, "verified_outcome_not_linked_to_evidence"],
    [evidence.conflicts.every((conflict) => hasStatus(conflict, "resolved")), "unresolved_authority_conflict"],
    [
      evidence.source_revisions.some(
        (revision) => (revision as { readonly freshness?: string }).freshness === "current",
      ),
      "no_current_source_revision",
    ],
  ];
  return checks.filter(([isMet]) => !isMet).map(([, reason]) => reason);
}

function hasStatus(record: object, status: string): boolean {
  return (record as { readonly status?: unknown }).status === status;
}
