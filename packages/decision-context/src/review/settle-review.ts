import { refuse, type Refusal } from "@loopx/contracts";
import type { Transaction } from "@loopx/store";
import type { LoadedProfile } from "../activation/activation.ts";
import { toCursorCommit, type CursorCommit } from "./cursor-commit.ts";
import { loadCursors, saveCursors } from "./cursor-rows.ts";
import type { GateVerdict } from "./gate-decisions.ts";
import { findUnsettleable, refuseSettled, refuseUndecided, type ReviewPorts } from "./prepare-review.ts";
import { findLatestPrepared } from "./prepared-review-rows.ts";
import { checkpointRefOf, type PreparedReview } from "./prepared-review.ts";
import { toDecisionScope } from "./proposal.ts";
import type { RecordedReview } from "./review-events.ts";
import { toReviewReceipt, type ReviewReceipt, type ReviewWords } from "./review-receipt.ts";

export interface SettlementRequest {
  readonly goalId: string;
  readonly decisionId: string;
  readonly words: ReviewWords;
  /** The profile as it is now. */
  readonly profile: LoadedProfile;
  readonly isExecuted: boolean;
}

/** A settled review, `decision_review_settlement_v0`. */
export interface Settlement {
  readonly ok: true;
  readonly schema_version: "decision_review_settlement_v0";
  readonly goal_id: string;
  readonly decision_id: string;
  readonly disposition: ReviewReceipt["disposition"];
  readonly review_receipt: ReviewReceipt;
  /** Null in a preview. */
  readonly lifecycle_event: LifecycleEvent | null;
  readonly executed: boolean;
  readonly changed: boolean;
  readonly quiet_noop: boolean;
  /** Null in a preview. */
  readonly cursor_commit: CursorCommit | null;
  readonly external_writes_performed: false;
  readonly raw_context_captured: false;
  readonly private_paths_captured: false;
}

interface LifecycleEvent {
  readonly event_kind: "decision_reviewed.v1";
  /** Number of the event in its goal; null of one that was appended by an earlier call. */
  readonly seq: number | null;
  readonly status: "committed" | "replayed";
  readonly recorded_at: string;
}

/**
 * Settles the review that was prepared last for a decision, in the caller's transaction: everything is checked first, then the
 * event is appended and the cursors are set, both or neither.
 *
 * What an owner decided on the proposal is the disposition; without a proposal it is `no_change`. Approval and rejection
 * both answer what was read, so both move the cursors; a deferral moves none and may be settled later. The same again is
 * `replayed`. Refuses with `unknown_decision`, `review_open`, `review_settled`, `evidence_outdated`, and what the ports refuse.
 */
export async function settleReview(
  tx: Transaction,
  request: SettlementRequest,
  ports: ReviewPorts,
): Promise<Settlement | Refusal> {
  const { goalId, decisionId } = request;
  const prepared = await findLatestPrepared(tx, goalId, decisionId);
  if (prepared === undefined) return refuseUnknownDecision(goalId, decisionId);
  const verdict = await loadVerdict(tx, prepared, ports);
  if (verdict !== null && "ok" in verdict) return verdict;
  const receipt = toReviewReceipt(prepared, verdict, request.words);
  const checkpointRef = checkpointRefOf(prepared);
  const earlier = await ports.events.find(tx, goalId, checkpointRef);
  if (earlier?.review_receipt_ref === receipt.packet_ref) return toReplayed(prepared, receipt, request.isExecuted);
  if (earlier !== undefined && earlier.disposition !== "defer") return refuseSettled(checkpointRef);
  const outdated = (await findOutdated(tx, prepared, request)) ?? undefined;
  if (outdated !== undefined) return refuseOutdated(outdated);
  if (!request.isExecuted) return toSettlement(receipt, { executed: false, changed: false, event: null, commit: null });
  const appended = await ports.events.append(tx, "decision_reviewed.v1", toRecorded(prepared, receipt));
  if (!appended.ok) return appended;
  const cursors = receipt.cursor_commit_allowed ? prepared.proposedCursors : {};
  await saveCursors(tx, goalId, cursors);
  const isReadBack = await areSet(tx, goalId, cursors);
  const commit = toCursorCommit(prepared, receipt, { status: "committed", seq: appended.seq, isReadBack });
  const event: LifecycleEvent = {
    event_kind: "decision_reviewed.v1",
    seq: appended.seq,
    status: "committed",
    recorded_at: receipt.recorded_at,
  };
  return toSettlement(receipt, { executed: true, changed: true, event, commit });
}

/** The owner's verdict; null where nothing had to be decided. */
async function loadVerdict(
  tx: Transaction,
  prepared: PreparedReview,
  { gates }: ReviewPorts,
): Promise<GateVerdict | Refusal | null> {
  const { assembly, proposal } = prepared;
  const open = findUnsettleable(prepared);
  if (open !== undefined) return refuseOutdated(open);
  if (proposal === null) return null;
  const gate = await gates.load(tx, { goalId: assembly.goal_id, scope: toDecisionScope(proposal) });
  if (!gate.ok) return gate;
  return gate.verdict ?? refuseUndecided(assembly.goal_id, { gate, decisionId: assembly.decision_id });
}

/** What changed since the evidence was assembled, or undefined. */
async function findOutdated(
  tx: Transaction,
  prepared: PreparedReview,
  { goalId, profile }: SettlementRequest,
): Promise<string | undefined> {
  if (profile.kind !== "read" || profile.digest !== prepared.profileDigest) return "profile_changed";
  const current = await loadCursors(tx, goalId);
  const moved = Object.entries(prepared.expectedCursors).some(
    ([sourceId, cursor]) => (current.get(sourceId) ?? null) !== cursor,
  );
  return moved ? "cursor_changed" : undefined;
}

const WHAT_CHANGED: Readonly<Record<string, string>> = {
  profile_changed: "the profile changed since the evidence was assembled",
  cursor_changed: "another review settled one of its sources since the evidence was assembled",
  evidence_incomplete: "the evidence is incomplete: a source was not read, or a change in it was not dealt with",
  proposal_required: "something that matters changed, so a proposal is needed for an owner to decide on",
};

export function refuseOutdated(reason: string): Refusal {
  return refuse("evidence_outdated", {
    message: `${WHAT_CHANGED[reason] ?? "the evidence is out of date"}; nothing was written`,
    hint: "prepare the review again: loopx decision-context prepare-review",
    details: { reason_code: reason },
  });
}

export function refuseUnknownDecision(goalId: string, decisionId: string): Refusal {
  return refuse("unknown_decision", {
    message: "no review was prepared for this decision",
    hint: "loopx decision-context prepare-review",
    details: { goal_id: goalId, decision_id: decisionId },
  });
}

async function areSet(tx: Transaction, goalId: string, cursors: Readonly<Record<string, string>>): Promise<boolean> {
  const current = await loadCursors(tx, goalId);
  return Object.entries(cursors).every(([sourceId, cursor]) => current.get(sourceId) === cursor);
}

function toRecorded(prepared: PreparedReview, receipt: ReviewReceipt): RecordedReview {
  return {
    goal_id: receipt.goal_id,
    checkpoint_ref: checkpointRefOf(prepared),
    decision_id: receipt.decision_id,
    evidence_packet_ref: receipt.evidence_packet_ref,
    proposal_packet_ref: receipt.proposal_packet_ref,
    review_receipt_ref: receipt.packet_ref,
    disposition: receipt.disposition,
    actor_ref: receipt.actor_ref,
    reason_code: receipt.reason_code,
    summary: receipt.summary,
    gate_todo_id: receipt.gate_todo_id,
    recorded_at: receipt.recorded_at,
    outcome_receipt_ref: null,
    outcome_status: null,
  };
}

function toReplayed(prepared: PreparedReview, receipt: ReviewReceipt, executed: boolean): Settlement {
  const commit = toCursorCommit(prepared, receipt, { status: "replayed", seq: null, isReadBack: true });
  const event: LifecycleEvent = {
    event_kind: "decision_reviewed.v1",
    seq: null,
    status: "replayed",
    recorded_at: receipt.recorded_at,
  };
  return toSettlement(receipt, { executed, changed: false, event, commit });
}

function toSettlement(
  receipt: ReviewReceipt,
  done: {
    readonly executed: boolean;
    readonly changed: boolean;
    readonly event: LifecycleEvent | null;
    readonly commit: CursorCommit | null;
  },
): Settlement {
  return {
    ok: true,
    schema_version: "decision_review_settlement_v0",
    goal_id: receipt.goal_id,
    decision_id: receipt.decision_id,
    disposition: receipt.disposition,
    review_receipt: receipt,
    lifecycle_event: done.event,
    executed: done.executed,
    changed: done.changed,
    quiet_noop: receipt.quiet_noop,
    cursor_commit: done.commit,
    external_writes_performed: false,
    raw_context_captured: false,
    private_paths_captured: false,
  };
}
