import { toChangeRef, toCursorRef, toPacketRef, toRevisionRef } from "../fingerprints/references.ts";
import type { ScanReceipt, SourceScan } from "../sources/source-scan.ts";
import type { DecisionName } from "./evidence-packet.ts";
import type { Rebase } from "./rebase.ts";

export interface CheckpointRow {
  readonly source_id: string;
  readonly scan_receipt_ref: string;
  readonly cursor_before_ref: string | null;
  readonly cursor_after_ref: string | null;
  readonly disposition: "preserve" | "ready_after_writeback";
  readonly reason_code: string;
}

/** How far each source was read, and which of them a settled review may mark as read, `decision_cursor_checkpoint_v0`. */
export interface CursorCheckpoint extends DecisionName {
  readonly schema_version: "decision_cursor_checkpoint_v0";
  readonly evidence_packet_ref: string;
  readonly visibility: "public_safe";
  readonly sources: readonly CheckpointRow[];
  readonly apply_requires_validated_decision_writeback: true;
  readonly applied: false;
  readonly raw_cursors_captured: false;
  readonly external_writes_performed: false;
  readonly checkpoint_ref: string;
}

export interface CheckpointParts {
  readonly evidenceRef: string;
  readonly rebase: Rebase;
  readonly scans: readonly SourceScan[];
  readonly receipts: readonly ScanReceipt[];
}

export function toCursorCheckpoint(
  { goal_id, decision_id, observed_at }: DecisionName,
  { evidenceRef, rebase, scans, receipts }: CheckpointParts,
): CursorCheckpoint {
  const checkpoint = {
    schema_version: "decision_cursor_checkpoint_v0",
    goal_id,
    decision_id,
    observed_at,
    evidence_packet_ref: evidenceRef,
    visibility: "public_safe",
    sources: scans.map((scan, index) => ({
      source_id: scan.source.source_id,
      scan_receipt_ref: receipts[index]?.receipt_ref ?? "",
      cursor_before_ref: scan.cursor_before === null ? null : toCursorRef(scan.source, scan.cursor_before),
      cursor_after_ref: scan.cursor_after === null ? null : toCursorRef(scan.source, scan.cursor_after),
      ...decideDisposition(scan, rebase),
    })),
    apply_requires_validated_decision_writeback: true,
    applied: false,
    raw_cursors_captured: false,
    external_writes_performed: false,
  } as const;
  return { ...checkpoint, checkpoint_ref: toPacketRef("decision-cursor-checkpoint", checkpoint) };
}

type Decided = Pick<CheckpointRow, "disposition" | "reason_code">;

function preserve(reason_code: string): Decided {
  return { disposition: "preserve", reason_code };
}

function ready(reason_code: string): Decided {
  return { disposition: "ready_after_writeback", reason_code };
}

/** Whether what a scan found was dealt with, so that the source counts as read once the review is settled. First reason wins. */
export function decideDisposition(scan: SourceScan, rebase: Rebase): Decided {
  if (scan.cursor_after === null) return preserve("cursor_after_missing");
  if (scan.status === "no_change") return ready("no_change");
  if (scan.status !== "completed") return preserve("scan_incomplete");
  if (scan.changes.length === 0) return ready("no_change");
  if (scan.source.exact_read_policy === "never") return preserve("exact_read_disabled");
  if (scan.changes.some(({ content }) => content === null)) return preserve("exact_read_incomplete");
  if (rebase.semantic_no_change) return ready("semantic_no_change");
  return isDispositioned(scan, rebase) ? ready("validated_rebase") : preserve("rebase_incomplete");
}

/** Whether each change is a fact, a claim, a rejection, or part of a conflict. */
function isDispositioned({ source, changes }: SourceScan, rebase: Rebase): boolean {
  const records = [...rebase.changed_facts, ...rebase.recalled_claims, ...rebase.stale_or_rejected_claims];
  const named = new Set(
    records.map(({ source_ref, source_revision }) => `${source_ref ?? ""}\n${source_revision ?? ""}`),
  );
  const inConflict = new Set(rebase.conflicts.flatMap(({ source_refs }) => source_refs));
  return changes.every(({ item }) => {
    const ref = toChangeRef(source, item.resource_ref);
    return inConflict.has(ref) || named.has(`${ref}\n${toRevisionRef(source, item.resource_ref, item.revision)}`);
  });
}
