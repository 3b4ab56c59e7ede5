import { aNumber, anObject, listOf, optional, orNull, type Rule } from "../documents/field-rule.ts";
import { aToken } from "../documents/public-text.ts";
import { toCapability, type DecisionName } from "../evidence/evidence-packet.ts";
import { aSummary, aTime } from "../evidence/rebase.ts";
import { toPacketRef } from "../fingerprints/references.ts";

const ENTRIES_MAX = 32;

interface Option {
  readonly option_id: string;
  readonly summary: string;
  readonly rationale: string;
  readonly confidence: number;
}

/** What an agent recommends, as it writes it; which evidence it rests on is added when the review is prepared. */
export interface ProposalDraft {
  /** When to look again whether it was right. */
  readonly review_at: string | null;
  readonly objective_scores: readonly {
    readonly objective_id: string;
    readonly score: number;
    readonly rationale: string;
  }[];
  readonly recommended_decision: Option;
  readonly alternatives: readonly {
    readonly alternative_id: string;
    readonly summary: string;
    readonly tradeoff: string;
  }[];
  readonly next_actions: readonly {
    readonly action_id: string;
    readonly owner_ref: string;
    readonly summary: string;
    readonly acceptance: string;
    readonly stop_condition: string;
  }[];
  readonly stop_list: readonly { readonly stop_id: string; readonly summary: string; readonly condition: string }[];
}

/** A recommendation on exactly one piece of evidence, `decision_proposal_v0`. It takes effect only by an owner's decision. */
export interface Proposal extends ProposalDraft, DecisionName {
  readonly schema_version: "decision_proposal_v0";
  readonly evidence_packet_ref: string;
  readonly visibility: "public_safe";
  readonly capability: ReturnType<typeof toCapability<"advisory_proposal">>;
  readonly authority_confirmation_required: true;
  readonly external_writes_performed: false;
  readonly raw_context_captured: false;
  readonly packet_ref: string;
}

/** The rule of a proposal document. */
export const aProposalDraft: Rule<ProposalDraft> = anObject({
  review_at: optional(orNull(aTime), null),
  objective_scores: listOf(anObject({ objective_id: aToken, score: aNumber(0, 1), rationale: aSummary }), {
    min: 1,
    max: ENTRIES_MAX,
    uniqueBy: "objective_id",
  }),
  recommended_decision: anObject({
    option_id: aToken,
    summary: aSummary,
    rationale: aSummary,
    confidence: aNumber(0, 1),
  }),
  alternatives: optional(
    listOf(anObject({ alternative_id: aToken, summary: aSummary, tradeoff: aSummary }), {
      max: ENTRIES_MAX,
      uniqueBy: "alternative_id",
    }),
    [],
  ),
  next_actions: optional(
    listOf(
      anObject({
        action_id: aToken,
        owner_ref: aToken,
        summary: aSummary,
        acceptance: aSummary,
        stop_condition: aSummary,
      }),
      { max: ENTRIES_MAX, uniqueBy: "action_id" },
    ),
    [],
  ),
  stop_list: optional(
    listOf(anObject({ stop_id: aToken, summary: aSummary, condition: aSummary }), {
      max: ENTRIES_MAX,
      uniqueBy: "stop_id",
    }),
    [],
  ),
});

export function toProposal(name: DecisionName, evidence_packet_ref: string, draft: ProposalDraft): Proposal {
  const proposal = {
    schema_version: "decision_proposal_v0",
    goal_id: name.goal_id,
    decision_id: name.decision_id,
    observed_at: name.observed_at,
    evidence_packet_ref,
    visibility: "public_safe",
    capability: toCapability("advisory_proposal"),
    ...draft,
    authority_confirmation_required: true,
    external_writes_performed: false,
    raw_context_captured: false,
  } as const;
  return { ...proposal, packet_ref: toPacketRef("decision-proposal", proposal) };
}

/** What an owner decides on, and nothing else: one gate a proposal. */
export function toDecisionScope({ packet_ref }: Pick<Proposal, "packet_ref">): string {
  return `direction:action:${packet_ref}`;
}
