import type { Activation, AssembledEvidence } from "@loopx/decision-context";
import type { TextStyle } from "../output/text-style.ts";
import { renderTable } from "../output/render-table.ts";
import { joinLines, renderFacts } from "../packets/render-facts.ts";

/** What was done with an assembly besides looking. */
export interface AssemblyEffects {
  readonly isRebased: boolean;
  readonly isPendingWritten: boolean;
}

/** An activation with what was assembled under it. */
export function toAssemblyPacket(
  activation: Activation,
  evidence: AssembledEvidence | null,
  { isRebased, isPendingWritten }: AssemblyEffects,
): object {
  const needsWriteback = evidence !== null && Object.keys(evidence.proposedCursors).length > 0;
  return {
    ...activation,
    assembly: evidence?.assembly ?? null,
    semantic_rebase_performed: isRebased,
    validated_writeback_required: needsWriteback,
    cursor_commit_allowed: false,
    cursor_state_mutated: false,
    pending_settlement_written: isPendingWritten,
  };
}

const COLUMNS = [
  { title: "SOURCE" },
  { title: "SCAN" },
  { title: "CHANGES", align: "right" as const },
  { title: "CURSOR" },
];

export function renderAssembly({ assembly }: AssembledEvidence, style: TextStyle): string {
  const { semantic_rebase: rebase, source_coverage: coverage, context_retrieval_receipt: recall } = assembly;
  const rows = assembly.source_scan_receipts.map((receipt, index) => {
    const row = assembly.cursor_checkpoint.sources[index];
    return [
      receipt.source_id,
      receipt.reason_code === null ? receipt.status : `${receipt.status} (${receipt.reason_code})`,
      String(receipt.changes.length),
      `${row?.disposition ?? ""} (${row?.reason_code ?? ""})`,
    ];
  });
  const paint = rebase.status === "incomplete" ? style.yellow : style.green;
  return joinLines(
    `${paint(rebase.status)}  evidence ${assembly.evidence_packet.packet_ref}`,
    renderFacts(
      [
        ["decision", assembly.decision_id],
        [
          "required sources",
          coverage.complete ? "all read" : `not read: ${coverage.incomplete_required_source_ids.join(", ")}`,
        ],
        ["recall", recall === null ? "not asked" : (recall.reason_code ?? `${recall.result_count} results`)],
      ],
      style,
    ),
    rows.length === 0 ? "" : renderTable(COLUMNS, rows, style),
    ...listChanges(assembly).map((line) => style.dim(line)),
  );
}

/** What a rebase names each change by. */
function listChanges({ source_scan_receipts: receipts }: AssembledEvidence["assembly"]): readonly string[] {
  return receipts.flatMap(({ source_id, changes }) =>
    changes.map(
      ({ change_ref, revision_ref }) => `${source_id}: source_ref ${change_ref}, source_revision ${revision_ref}`,
    ),
  );
}
