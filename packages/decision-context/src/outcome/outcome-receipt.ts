import { aBoolean, anObject, listOf, oneOf, optional, orNull, report, type Rule } from "../documents/field-rule.ts";
import { aToken } from "../documents/public-text.ts";
import { toCapability } from "../evidence/evidence-packet.ts";
import { aSummary, aTime } from "../evidence/rebase.ts";
import { toPacketRef } from "../fingerprints/references.ts";
import type { Proposal } from "../review/proposal.ts";

const ENTRIES_MAX = 64;

/** What came of a decision, as whoever looked writes it. */
export interface OutcomeDraft {
  readonly verification_status: "pending" | "verified" | "refuted" | "inconclusive";
  readonly review_at: string | null;
  readonly accepted_decision: {
    readonly option_id: string;
    readonly summary: string;
    readonly accepted_by: string;
    readonly accepted_at: string;
  };
  readonly resulting_transitions: readonly {
    readonly transition_id: string;
    readonly summary: string;
    readonly event_ref: string;
    readonly status: string;
  }[];
  readonly observed_outcomes: readonly ObservedOutcome[];
  readonly invalidated_assumptions: readonly {
    readonly assumption_id: string;
    readonly summary: string;
    readonly evidence_ref: string;
    readonly invalidated_at: string;
  }[];
  readonly reward_memory_candidate_eligible: boolean;
}

interface ObservedOutcome {
  readonly outcome_id: string;
  readonly summary: string;
  readonly evidence_ref: string;
  readonly status: string;
  readonly observed_at: string;
}

/** `decision_outcome_receipt_v0`. */
export interface OutcomeReceipt extends OutcomeDraft {
  readonly schema_version: "decision_outcome_receipt_v0";
  readonly goal_id: string;
  readonly decision_id: string;
  readonly proposal_packet_ref: string;
  readonly recorded_at: string;
  readonly visibility: "public_safe";
  readonly capability: ReturnType<typeof toCapability<"outcome_receipt">>;
  readonly external_writes_performed: false;
  readonly raw_context_captured: false;
  readonly packet_ref: string;
}

const aDraft = anObject({
  verification_status: oneOf("pending", "verified", "refuted", "inconclusive"),
  review_at: optional(orNull(aTime), null),
  accepted_decision: anObject({ option_id: aToken, summary: aSummary, accepted_by: aToken, accepted_at: aTime }),
  resulting_transitions: optional(
    listOf(anObject({ transition_id: aToken, summary: aSummary, event_ref: aToken, status: aToken }), {
      max: ENTRIES_MAX,
      uniqueBy: "transition_id",
    }),
    [],
  ),
  observed_outcomes: optional(
    listOf<ObservedOutcome>(
      anObject({ outcome_id: aToken, summary: aSummary, evidence_ref: aToken, status: aToken, observed_at: aTime }),
      { max: ENTRIES_MAX, uniqueBy: "outcome_id" },
    ),
    [],
  ),
  invalidated_assumptions: optional(
    listOf(anObject({ assumption_id: aToken, summary: aSummary, evidence_ref: aToken, invalidated_at: aTime }), {
      max: ENTRIES_MAX,
      uniqueBy: "assumption_id",
    }),
    [],
  ),
  reward_memory_candidate_eligible: optional(aBoolean, false),
});

/** The rule of an outcome document. */
export const anOutcomeDraft: Rule<OutcomeDraft> = (value, place) => {
  const draft = aDraft(value, place);
  if (draft === undefined || place.problems.length > 0) return undefined;
  if (draft.verification_status !== "verified") return draft;
  if (draft.observed_outcomes.some(({ status }) => status === "verified")) return draft;
  return report(
    { ...place, pointer: "/observed_outcomes" },
    "needs one with status verified when the whole is verified",
  );
};

export function toOutcomeReceipt(proposal: Proposal, recorded_at: string, draft: OutcomeDraft): OutcomeReceipt {
  const receipt = {
    schema_version: "decision_outcome_receipt_v0",
    goal_id: proposal.goal_id,
    decision_id: proposal.decision_id,
    proposal_packet_ref: proposal.packet_ref,
    recorded_at,
    visibility: "public_safe",
    capability: toCapability("outcome_receipt"),
    ...draft,
    external_writes_performed: false,
    raw_context_captured: false,
  } as const;
  return { ...receipt, packet_ref: toPacketRef("decision-outcome", receipt) };
}
