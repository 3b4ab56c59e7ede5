import { LoopxError } from "@loopx/contracts";
import type { SqlRow, SqlValue, Transaction } from "@loopx/store";
import type { Assembly } from "../evidence/assembly.ts";
import { toCursorRef, toPacketRef } from "../fingerprints/references.ts";
import type { OutcomeReceipt } from "../outcome/outcome-receipt.ts";
import { checkpointRefOf, type PreparedReview } from "./prepared-review.ts";
import type { Proposal } from "./proposal.ts";

const COLUMNS = "profile_digest, assembly, proposal, proposed_cursors, expected_cursors, outcome";

/** The review that was prepared last for a decision. Refuses with `store_corrupt` one whose parts do not belong together. */
export async function findLatestPrepared(
  tx: Transaction,
  goalId: string,
  decisionId: string,
): Promise<PreparedReview | undefined> {
  const row = await tx.get(
    `SELECT ${COLUMNS} FROM prepared_reviews WHERE goal_id = ? AND decision_id = ? ORDER BY ordinal DESC LIMIT 1`,
    goalId,
    decisionId,
  );
  return row && decodePrepared(row);
}

/**
 * The reviews that were prepared last in a store, whatever their goals: of each goal the latest first, at most so many in all.
 *
 * Refuses with `store_corrupt` one whose parts do not belong together.
 */
export async function listLatestPrepared(tx: Transaction, limit: number): Promise<readonly PreparedReview[]> {
  const rows = await tx.all(`SELECT ${COLUMNS} FROM prepared_reviews ORDER BY ordinal DESC, goal_id LIMIT ?`, limit);
  return rows.map(decodePrepared);
}

/** Keeps a prepared review as the latest of its decision; one on the same checkpoint is replaced. */
export async function savePrepared(tx: Transaction, prepared: PreparedReview): Promise<void> {
  const { goal_id, decision_id } = prepared.assembly;
  const last = await tx.get<{ last: number | null }>(
    "SELECT MAX(ordinal) AS last FROM prepared_reviews WHERE goal_id = ?",
    goal_id,
  );
  await tx.run(
    "DELETE FROM prepared_reviews WHERE goal_id = ? AND checkpoint_ref = ?",
    goal_id,
    checkpointRefOf(prepared),
  );
  await tx.run(
    `INSERT INTO prepared_reviews (goal_id, checkpoint_ref, decision_id, ordinal, ${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    goal_id,
    checkpointRefOf(prepared),
    decision_id,
    (last?.last ?? 0) + 1,
    prepared.profileDigest,
    JSON.stringify(prepared.assembly),
    toJsonOrNull(prepared.proposal),
    JSON.stringify(prepared.proposedCursors),
    JSON.stringify(prepared.expectedCursors),
    toJsonOrNull(prepared.outcome),
  );
}

export async function saveOutcome(tx: Transaction, prepared: PreparedReview, outcome: OutcomeReceipt): Promise<void> {
  await tx.run(
    "UPDATE prepared_reviews SET outcome = ? WHERE goal_id = ? AND checkpoint_ref = ?",
    JSON.stringify(outcome),
    prepared.assembly.goal_id,
    checkpointRefOf(prepared),
  );
}

function toJsonOrNull(value: object | null): string | null {
  return value === null ? null : JSON.stringify(value);
}

function decodePrepared(row: SqlRow): PreparedReview {
  const prepared = {
    assembly: parseJson(row["assembly"]) as Assembly,
    proposal: parseJson(row["proposal"]) as Proposal | null,
    proposedCursors: parseJson(row["proposed_cursors"]) as Readonly<Record<string, string>>,
    expectedCursors: parseJson(row["expected_cursors"]) as Readonly<Record<string, string | null>>,
    profileDigest: String(row["profile_digest"]),
    outcome: parseJson(row["outcome"]) as OutcomeReceipt | null,
  };
  if (isWhole(prepared)) return prepared;
  throw toCorruptError();
}

/** References are digests: a row in which anything was changed does not fit them any more. */
function isWhole({ assembly, proposal, proposedCursors }: PreparedReview): boolean {
  try {
    const { evidence_packet: evidence, cursor_checkpoint: checkpoint, source_scan_receipts: receipts } = assembly;
    const isEach = [
      toPacketRef("decision-context-assembly", assembly) === assembly.assembly_ref,
      toPacketRef("decision-evidence", evidence) === evidence.packet_ref,
      toPacketRef("decision-cursor-checkpoint", checkpoint) === checkpoint.checkpoint_ref,
      checkpoint.evidence_packet_ref === evidence.packet_ref,
      proposal === null || toPacketRef("decision-proposal", proposal) === proposal.packet_ref,
      proposal === null || proposal.evidence_packet_ref === evidence.packet_ref,
    ].every(Boolean);
    const isCursor = ([sourceId, cursor]: readonly [string, string]): boolean => {
      const at = checkpoint.sources.findIndex(({ source_id }) => source_id === sourceId);
      const [row, receipt] = [checkpoint.sources[at], receipts[at]];
      if (row === undefined || receipt === undefined) return false;
      return row.disposition === "ready_after_writeback" && row.cursor_after_ref === toCursorRef(receipt, cursor);
    };
    return isEach && Object.entries(proposedCursors).every(isCursor);
  } catch {
    return false;
  }
}

function parseJson(stored: SqlValue | undefined): unknown {
  if (stored === null || stored === undefined) return null;
  try {
    return JSON.parse(String(stored)) as unknown;
  } catch {
    throw toCorruptError();
  }
}

function toCorruptError(): LoopxError {
  return new LoopxError("store_corrupt", {
    message:
      "the project's store .loopx/state.db is damaged: a prepared review holds what LoopX never writes; it was left as it is",
    hint: "loopx restore --execute",
    details: { table: "prepared_reviews" },
  });
}
