import { toPacketRef, toChangeRef, toRevisionRef } from "../fingerprints/references.ts";
import { compareCodePoints, toStableJson } from "../fingerprints/stable-json.ts";
import type { CollectedRecall } from "../recall/collect-recall.ts";
import { isExactlyRead, type SourceScan } from "../sources/source-scan.ts";
import type { Rebase } from "./rebase.ts";

/** What a decision rests on, `decision_evidence_packet_v0`. Equal evidence has an equal reference, whatever its order. */
export interface EvidencePacket {
  readonly schema_version: "decision_evidence_packet_v0";
  readonly goal_id: string;
  readonly decision_id: string;
  readonly observed_at: string;
  readonly visibility: "public_safe";
  readonly capability: ReturnType<typeof toCapability>;
  readonly changed_facts: readonly object[];
  readonly recalled_claims: readonly object[];
  readonly stale_or_rejected_claims: readonly object[];
  readonly conflicts: readonly object[];
  readonly source_revisions: readonly object[];
  readonly provider_health: readonly object[];
  readonly provider_fail_open: true;
  readonly external_writes_performed: false;
  readonly raw_context_captured: false;
  readonly credentials_captured: false;
  readonly packet_ref: string;
}

/** Which decision a packet is about, and when it was looked at. */
export interface DecisionName {
  readonly goal_id: string;
  readonly decision_id: string;
  readonly observed_at: string;
}

export interface EvidenceParts {
  readonly rebase: Rebase;
  readonly scans: readonly SourceScan[];
  /** Null where no recall was configured. */
  readonly recall: CollectedRecall | null;
}

/** What each packet says of itself: it advises, and decides nothing. */
export function toCapability<const Role extends string>(packet_role: Role) {
  return {
    capability_id: "decision_context",
    scope: "goal",
    default_enabled: false,
    packet_role,
    creates_authority: false,
    mutates_core_state: false,
  } as const;
}

export function toEvidencePacket(name: DecisionName, { rebase, scans, recall }: EvidenceParts): EvidencePacket {
  const packet = {
    schema_version: "decision_evidence_packet_v0",
    ...name,
    visibility: "public_safe",
    capability: toCapability("evidence"),
    changed_facts: sortRecords(rebase.changed_facts),
    recalled_claims: sortRecords(rebase.recalled_claims),
    stale_or_rejected_claims: sortRecords(rebase.stale_or_rejected_claims),
    conflicts: sortRecords(rebase.conflicts),
    source_revisions: sortRecords(scans.flatMap((scan) => listRevisions(scan, name.observed_at))),
    provider_health: sortRecords([...scans.map(toSourceHealth), ...(recall === null ? [] : [toRecallHealth(recall)])]),
    provider_fail_open: true,
    external_writes_performed: false,
    raw_context_captured: false,
    credentials_captured: false,
  } as const;
  return { ...packet, packet_ref: toPacketRef("decision-evidence", packet) };
}

/** Without what is null, in the order of their text: the order in which they were written says nothing. */
function sortRecords(records: readonly object[]): readonly object[] {
  return records
    .map((record) => Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null)))
    .toSorted((one, other) => compareCodePoints(toStableJson(one), toStableJson(other)));
}

function listRevisions({ source, changes }: SourceScan, observedAt: string): readonly object[] {
  return changes
    .filter(({ content }) => content !== null)
    .map(({ item }) => {
      const ageMs = Date.parse(observedAt) - Date.parse(item.observed_at);
      return {
        source_ref: toChangeRef(source, item.resource_ref),
        revision: toRevisionRef(source, item.resource_ref, item.revision),
        observed_at: item.observed_at,
        freshness: ageMs <= source.freshness_seconds * 1000 ? "current" : "stale",
      };
    });
}

function toSourceHealth(scan: SourceScan): object {
  const isRead = scan.status === "completed" || scan.status === "no_change";
  const isWhole = isExactlyRead(scan);
  const unread = isWhole ? null : "exact_read_failed";
  return {
    provider: scan.source.provider_id,
    status: isRead ? (isWhole ? "healthy" : "degraded") : "unavailable",
    observed_at: scan.observed_at,
    reason_code: scan.reason_code ?? unread,
    fail_open: true,
  };
}

function toRecallHealth({ receipt }: CollectedRecall): object {
  const answered = receipt.read_performed ? "healthy" : "degraded";
  return {
    provider: receipt.provider,
    status: receipt.ok ? answered : "unavailable",
    observed_at: receipt.observed_at,
    reason_code: receipt.reason_code,
    fail_open: true,
  };
}
