import type { Ambient } from "@loopx/contracts";
import { listLatestPrepared, type PreparedReview } from "@loopx/decision-context";
import type { RecallReceiptRow, RecallReceiptsAnswer } from "@loopx/workstation/contract";
import type { Globals } from "../../command-table/global-flags.ts";
import { listRegisteredProjects, readRegisteredProject } from "../../global/registered-project.ts";

/** Of all projects, and of each: what is left out is said. */
const SHOWN_RECEIPTS = 100;

/**
 * The receipts of recalls that prepared reviews keep, latest first. A recall that an agent made for itself is kept nowhere, so
 * it is in no list; and no receipt holds content, a query or a scope.
 */
export async function listReceipts(
  globals: Pick<Globals, "registry">,
  ambient: Ambient,
): Promise<RecallReceiptsAnswer> {
  const unread: { label: string; code: string }[] = [];
  const receipts: RecallReceiptRow[] = [];
  for (const project of await listRegisteredProjects(globals, ambient)) {
    const read = await readRegisteredProject(project, ambient, (tx) => listLatestPrepared(tx, SHOWN_RECEIPTS + 1));
    if (read.ok) receipts.push(...read.result.flatMap((prepared) => toReceiptRow(prepared) ?? []));
    else unread.push({ label: read.warning.label, code: read.warning.code });
  }
  const ordered = receipts.toSorted((one, other) => (one.observed_at < other.observed_at ? 1 : -1));
  return {
    ok: true,
    receipts: ordered.slice(0, SHOWN_RECEIPTS),
    has_more: ordered.length > SHOWN_RECEIPTS,
    unread,
  };
}

/** Undefined for a review that asked nobody. Named field by field: whatever a later receipt holds stays where it is. */
function toReceiptRow({ assembly }: PreparedReview): RecallReceiptRow | undefined {
  const receipt = assembly.context_retrieval_receipt;
  if (receipt === null) return undefined;
  return {
    goal_id: assembly.goal_id,
    decision_id: assembly.decision_id,
    provider: receipt.provider,
    provider_version: receipt.provider_version,
    status: receipt.status,
    reason_code: receipt.reason_code,
    query_summary: receipt.query_summary,
    observed_at: receipt.observed_at,
    requested_limit: receipt.requested_limit,
    result_count: receipt.result_count,
    latency_ms: receipt.telemetry.latency_ms,
    results: receipt.results.map(({ provider_ref, summary, score }) => ({ provider_ref, summary, score })),
  };
}
