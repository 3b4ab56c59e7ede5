import { refuse, type Refusal } from "@loopx/contracts";
import type { Transaction } from "@loopx/store";
import type { GateDecisions, OpenedGate } from "./gate-decisions.ts";
import { findLatestPrepared, savePrepared } from "./prepared-review-rows.ts";
import { checkpointRefOf, type PreparedReview } from "./prepared-review.ts";
import { toDecisionScope, type Proposal } from "./proposal.ts";
import { isSettled, type ReviewEvents } from "./review-events.ts";

/** The control plane as reviews need it. */
export interface ReviewPorts {
  readonly gates: GateDecisions;
  readonly events: ReviewEvents;
}

export interface PreparedAnswer {
  readonly ok: true;
  /** False when exactly this review was prepared before. */
  readonly changed: boolean;
  /** The owner's gate on the proposal; null where there is nothing to decide. */
  readonly gate: OpenedGate | null;
}

/**
 * Whether a review could be settled at all: evidence that is incomplete settles nothing, and what changed needs a proposal
 * that an owner decides.
 */
export function findUnsettleable({
  assembly,
  proposal,
}: Pick<PreparedReview, "assembly" | "proposal">): string | undefined {
  const { status } = assembly.semantic_rebase;
  if (status === "incomplete") return "evidence_incomplete";
  return status === "material_change" && proposal === null ? "proposal_required" : undefined;
}

/**
 * Keeps a review for settlement and opens the gate of its proposal, in the caller's transaction.
 *
 * The same again is already so. Refuses with `review_settled` a checkpoint that was settled, with `review_open` while an
 * earlier proposal on this decision waits for its owner or its settlement, and whatever the gate refuses.
 */
export async function keepPreparedReview(
  tx: Transaction,
  prepared: PreparedReview,
  { gates, events }: ReviewPorts,
): Promise<PreparedAnswer | Refusal> {
  const { goal_id: goalId, decision_id: decisionId } = prepared.assembly;
  const refused = await events.check(tx, goalId);
  if (refused !== undefined) return refused;
  const checkpointRef = checkpointRefOf(prepared);
  const latest = await findLatestPrepared(tx, goalId, decisionId);
  const isSame =
    latest !== undefined &&
    checkpointRefOf(latest) === checkpointRef &&
    latest.proposal?.packet_ref === prepared.proposal?.packet_ref;
  if (isSettled(await events.find(tx, goalId, checkpointRef))) return refuseSettled(checkpointRef);
  if (!isSame && latest !== undefined && latest.proposal !== null) {
    const review = await events.find(tx, goalId, checkpointRefOf(latest));
    if (review === undefined) return refuseOpen(tx, { goalId, proposal: latest.proposal }, gates);
  }
  const gate = prepared.proposal === null ? null : await gates.open(tx, describeGate(goalId, prepared.proposal));
  if (gate !== null && !gate.ok) return gate;
  if (!isSame) await savePrepared(tx, prepared);
  return { ok: true, changed: !isSame, gate };
}

function describeGate(goalId: string, proposal: Proposal): { goalId: string; scope: string; question: string } {
  const { summary, rationale, option_id } = proposal.recommended_decision;
  return {
    goalId,
    scope: toDecisionScope(proposal),
    question: `Decision ${proposal.decision_id}: ${summary} (option ${option_id}, because: ${rationale})? Proposal ${proposal.packet_ref}`,
  };
}

export function refuseSettled(checkpointRef: string): Refusal {
  return refuse("review_settled", {
    message: "this checkpoint was settled before, with another receipt; nothing was changed",
    hint: "prepare the decision again: a later look at the sources is another checkpoint",
    details: { checkpoint_ref: checkpointRef },
  });
}

async function refuseOpen(
  tx: Transaction,
  { goalId, proposal }: { readonly goalId: string; readonly proposal: Proposal },
  gates: GateDecisions,
): Promise<Refusal> {
  const gate = await gates.load(tx, { goalId, scope: toDecisionScope(proposal) });
  return gate.ok ? refuseUndecided(goalId, { gate, decisionId: proposal.decision_id }) : gate;
}

/** A proposal waits: for its owner, or to be settled by what the owner said. */
export function refuseUndecided(
  goalId: string,
  { gate, decisionId }: { readonly gate: OpenedGate; readonly decisionId: string },
): Refusal {
  const isDecided = gate.verdict !== null;
  return refuse("review_open", {
    message: isDecided
      ? "the owner decided on the earlier proposal and it is not settled yet"
      : "the proposal waits for its owner's decision",
    hint: isDecided
      ? "settle it first, with loopx decision-context settle-review"
      : `for an owner at a terminal of their own: loopx gate decide --goal-id=${goalId} --gate-id=${gate.gateTodoId} --decision=approve`,
    details: { gate_todo_id: gate.gateTodoId, decision_id: decisionId },
  });
}
