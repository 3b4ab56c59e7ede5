import { toDocumentError } from "../documents/document-error.ts";
import type { Profile } from "../profile/profile.ts";
import { collectRecall, type CollectedRecall } from "../recall/collect-recall.ts";
import type { ContextProvider } from "../recall/context-provider.ts";
import type { RecallQuestion } from "../recall/retrieval.ts";
import type { SourceAdapter } from "../sources/authority-source.ts";
import { scanSources } from "../sources/scan-sources.ts";
import { selectSources } from "../sources/select-sources.ts";
import { toSourceCoverage } from "../sources/source-coverage.ts";
import { toSourceManifest } from "../sources/source-manifest.ts";
import { toScanReceipt, type SourceScan } from "../sources/source-scan.ts";
import { toAssembly, type Assembly } from "./assembly.ts";
import { toCursorCheckpoint } from "./cursor-checkpoint.ts";
import { toEvidencePacket } from "./evidence-packet.ts";
import type { Rebase } from "./rebase.ts";
import { findUngrounded } from "./verify-rebase.ts";

export interface EvidenceRequest {
  readonly decisionId: string;
  readonly sourceIds: readonly string[];
  readonly observedAt: string;
  readonly before: string;
  readonly timeoutMs: number;
  readonly rebase: Rebase;
}

/** What an assembly may reach. */
export interface EvidenceSources {
  readonly adapters: readonly SourceAdapter[];
  readonly cursors: ReadonlyMap<string, string>;
  /** Null where recall is not configured. `provider` null: the profile names one that this program does not have. */
  readonly recall: { readonly provider: ContextProvider | null; readonly question: RecallQuestion } | null;
  readonly monotonicMs: () => number;
}

/** An assembly and, privately, the cursors that a settled review may set. */
export interface AssembledEvidence {
  readonly assembly: Assembly;
  readonly proposedCursors: Readonly<Record<string, string>>;
  readonly expectedCursors: Readonly<Record<string, string | null>>;
  /** Why recall failed, for the person at this machine. */
  readonly diagnostic: string | null;
}

/**
 * Reads the authority sources, asks for recall beside them, and puts both into one assembly. Neither stops the other.
 *
 * Refuses with `invalid_value` an unknown source id, and a rebase whose records have no ground in what was read.
 */
export async function assembleEvidence(
  profile: Profile,
  request: EvidenceRequest,
  parts: EvidenceSources,
): Promise<AssembledEvidence> {
  const { rebase, observedAt: observed_at } = request;
  const selected = selectSources(profile, request.sourceIds);
  const scans = await scanSources(profile, selected, { ...parts, ...request });
  const recall = parts.recall === null ? null : await collectRecall(parts.recall.provider, parts.recall.question);
  const problems = findUngrounded(rebase, { scans, recall });
  if (problems.length > 0) throw toDocumentError(problems, { field: "rebase_json", what: "the rebase" });
  const name = { goal_id: profile.goal_id, decision_id: request.decisionId, observed_at };
  const receipts = scans.map(toScanReceipt);
  const evidence_packet = toEvidencePacket(name, { rebase, scans, recall });
  const required = profile.sources.filter(
    (source) => source.enabled && (source.scan_mode !== "on_demand" || selected.includes(source)),
  );
  const assembly = toAssembly(
    name,
    {
      source_manifest: toSourceManifest(profile, observed_at),
      source_scan_receipts: receipts,
      source_coverage: toSourceCoverage(required, new Map(scans.map((scan) => [scan.source.source_id, scan]))),
      context_retrieval_receipt: recall?.receipt ?? null,
      evidence_packet,
      cursor_checkpoint: toCursorCheckpoint(name, { evidenceRef: evidence_packet.packet_ref, rebase, scans, receipts }),
    },
    rebase,
  );
  return { assembly, ...listCursors(assembly, scans), diagnostic: sayDiagnostic(recall) };
}

function listCursors(
  { cursor_checkpoint }: Assembly,
  scans: readonly SourceScan[],
): Pick<AssembledEvidence, "proposedCursors" | "expectedCursors"> {
  const ready = scans.filter((_scan, index) => {
    return cursor_checkpoint.sources[index]?.disposition === "ready_after_writeback";
  });
  return {
    proposedCursors: Object.fromEntries(
      ready.map(({ source, cursor_after }) => [source.source_id, cursor_after ?? ""]),
    ),
    expectedCursors: Object.fromEntries(ready.map(({ source, cursor_before }) => [source.source_id, cursor_before])),
  };
}

function sayDiagnostic(recall: CollectedRecall | null): string | null {
  return recall?.retrieval.diagnostic ?? null;
}
