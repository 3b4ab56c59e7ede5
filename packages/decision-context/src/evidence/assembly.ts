import { toPacketRef } from "../fingerprints/references.ts";
import type { RetrievalReceipt } from "../recall/retrieval.ts";
import type { SourceCoverage } from "../sources/source-coverage.ts";
import type { SourceManifest } from "../sources/source-manifest.ts";
import type { ScanReceipt } from "../sources/source-scan.ts";
import type { CursorCheckpoint } from "./cursor-checkpoint.ts";
import type { DecisionName, EvidencePacket } from "./evidence-packet.ts";
import { countRecords, type Rebase } from "./rebase.ts";

/** Whether anything that matters changed. `incomplete`: something was not read, or not dealt with. */
export interface SemanticRebase {
  readonly schema_version: "decision_semantic_rebase_receipt_v0";
  readonly status: "no_material_change" | "material_change" | "incomplete";
  readonly quiet_noop_allowed: boolean;
  readonly raw_context_captured: false;
}

/** Everything public that one look at sources and recall gave, `decision_context_assembly_v0`. */
export interface Assembly extends DecisionName {
  readonly schema_version: "decision_context_assembly_v0";
  readonly visibility: "public_safe";
  readonly source_manifest: SourceManifest;
  readonly source_scan_receipts: readonly ScanReceipt[];
  readonly source_coverage: SourceCoverage;
  readonly context_retrieval_receipt: RetrievalReceipt | null;
  readonly evidence_packet: EvidencePacket;
  readonly semantic_rebase: SemanticRebase;
  readonly cursor_checkpoint: CursorCheckpoint;
  readonly provider_fail_open: true;
  readonly raw_context_captured: false;
  readonly raw_provider_payload_captured: false;
  readonly private_locators_captured: false;
  readonly private_cursors_captured: false;
  readonly external_writes_performed: false;
  readonly assembly_ref: string;
}

export type AssemblyParts = Pick<
  Assembly,
  | "source_manifest"
  | "source_scan_receipts"
  | "source_coverage"
  | "context_retrieval_receipt"
  | "evidence_packet"
  | "cursor_checkpoint"
>;

export function toAssembly(name: DecisionName, parts: AssemblyParts, rebase: Rebase): Assembly {
  const assembly = {
    schema_version: "decision_context_assembly_v0",
    ...name,
    visibility: "public_safe",
    ...parts,
    semantic_rebase: toSemanticRebase(parts, rebase),
    provider_fail_open: true,
    raw_context_captured: false,
    raw_provider_payload_captured: false,
    private_locators_captured: false,
    private_cursors_captured: false,
    external_writes_performed: false,
  } as const;
  return { ...assembly, assembly_ref: toPacketRef("decision-context-assembly", assembly) };
}

/** Sources that were read and whose changes nobody dealt with leave the evidence open. One that couldn't be read does, if it is required. */
const OPEN_REASONS: readonly string[] = ["exact_read_incomplete", "rebase_incomplete"];

function toSemanticRebase({ source_coverage, cursor_checkpoint }: AssemblyParts, rebase: Rebase): SemanticRebase {
  const isOpen = cursor_checkpoint.sources.some(({ reason_code }) => OPEN_REASONS.includes(reason_code));
  const isMaterial = countRecords(rebase) > 0;
  const settled = isMaterial ? "material_change" : "no_material_change";
  const status = isOpen || !source_coverage.complete ? "incomplete" : settled;
  return {
    schema_version: "decision_semantic_rebase_receipt_v0",
    status,
    quiet_noop_allowed: status === "no_material_change",
    raw_context_captured: false,
  };
}
