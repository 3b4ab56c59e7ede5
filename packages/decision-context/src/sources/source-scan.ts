import type { ProfileSource } from "../profile/profile.ts";
import { toChangeRef, toCursorRef, toPacketRef, toRevisionRef } from "../fingerprints/references.ts";
import type { SourceItem } from "./authority-source.ts";

export type ScanStatus = "completed" | "no_change" | "failed" | "unavailable";

/** One source after its scan, with what must not leave the process. */
export interface SourceScan {
  readonly source: ProfileSource;
  readonly status: ScanStatus;
  readonly reason_code: string | null;
  readonly provider_version: string | null;
  readonly observed_at: string;
  readonly cursor_before: string | null;
  readonly cursor_after: string | null;
  readonly changes: readonly ScannedChange[];
  readonly latency_ms: number;
}

export interface ScannedChange {
  readonly item: SourceItem;
  /** The exact text; null where the policy or a failure kept it from being read. */
  readonly content: string | null;
}

/** The public record of a scan, `decision_source_scan_receipt_v0`. */
export interface ScanReceipt {
  readonly schema_version: "decision_source_scan_receipt_v0";
  readonly provider_id: string;
  readonly source_id: string;
  readonly status: ScanStatus;
  readonly reason_code: string | null;
  readonly changes: readonly ScanReceiptChange[];
  readonly cursor_before_ref: string | null;
  readonly cursor_after_ref: string | null;
  readonly receipt_ref: string;
  readonly [other: string]: unknown;
}

export interface ScanReceiptChange {
  readonly change_ref: string;
  readonly revision_ref: string;
  readonly observed_at: string;
  readonly exact_read_verified: boolean;
}

export function toScanReceipt(scan: SourceScan): ScanReceipt {
  const { source } = scan;
  const receipt = {
    schema_version: "decision_source_scan_receipt_v0",
    capability_id: "decision_context",
    scope: "goal",
    default_enabled: false,
    provider_id: source.provider_id,
    source_id: source.source_id,
    status: scan.status,
    reason_code: scan.reason_code,
    provider_version: scan.provider_version,
    observed_at: scan.observed_at,
    requested_limit: source.max_changes,
    changed_count: scan.changes.length,
    exact_read_count: scan.changes.filter(({ content }) => content !== null).length,
    changes: scan.changes.map(({ item, content }) => ({
      change_ref: toChangeRef(source, item.resource_ref),
      revision_ref: toRevisionRef(source, item.resource_ref, item.revision),
      observed_at: item.observed_at,
      exact_read_verified: content !== null,
    })),
    cursor_before_ref: scan.cursor_before === null ? null : toCursorRef(source, scan.cursor_before),
    cursor_after_ref: scan.cursor_after === null ? null : toCursorRef(source, scan.cursor_after),
    provider_fail_open: true,
    external_writes_performed: false,
    raw_content_captured: false,
    raw_provider_payload_captured: false,
    private_locator_captured: false,
    private_cursor_captured: false,
    credentials_captured: false,
    telemetry: { latency_ms: scan.latency_ms, result_cap_applied: scan.changes.length >= source.max_changes },
  } as const;
  return { ...receipt, receipt_ref: toPacketRef("decision-source-scan", receipt) };
}

/** Whether a scan left nothing unread that its policy asks for. */
export function isExactlyRead({ source, changes }: SourceScan): boolean {
  return source.exact_read_policy === "never" || changes.every(({ content }) => content !== null);
}
