import type { ProfileSource } from "../profile/profile.ts";
import { isExactlyRead, type ScanStatus, type SourceScan } from "./source-scan.ts";

const PRIORITIES = ["p0", "p1", "p2"] as const;
const STATUSES = ["completed", "no_change", "failed", "unavailable"] as const;

/** How much of what had to be read was read, `decision_source_coverage_v0`. */
export interface SourceCoverage {
  readonly schema_version: "decision_source_coverage_v0";
  readonly required_priority: "p0";
  readonly status: "complete" | "incomplete";
  readonly complete: boolean;
  readonly incomplete_required_source_ids: readonly string[];
  readonly priority_rows: readonly PriorityRow[];
  readonly fail_open_preserved: true;
  readonly raw_context_captured: false;
  readonly private_locators_captured: false;
}

interface PriorityRow {
  readonly priority: (typeof PRIORITIES)[number];
  readonly source_count: number;
  readonly complete_count: number;
  readonly exact_read_incomplete_count: number;
  readonly status_counts: Readonly<Record<ScanStatus, number>>;
}

/** Coverage over every source that should have been looked at, whether it was or not. */
export function toSourceCoverage(
  sources: readonly ProfileSource[],
  scans: ReadonlyMap<string, SourceScan>,
): SourceCoverage {
  const isComplete = ({ source_id }: ProfileSource): boolean => {
    const scan = scans.get(source_id);
    return scan !== undefined && ["completed", "no_change"].includes(scan.status) && isExactlyRead(scan);
  };
  const missing = sources.filter((source) => source.priority === "p0" && !isComplete(source));
  return {
    schema_version: "decision_source_coverage_v0",
    required_priority: "p0",
    status: missing.length === 0 ? "complete" : "incomplete",
    complete: missing.length === 0,
    incomplete_required_source_ids: missing.map(({ source_id }) => source_id).toSorted(),
    priority_rows: PRIORITIES.map((priority) => {
      const own = sources.filter((source) => source.priority === priority);
      const scanned = own.map(({ source_id }) => scans.get(source_id)).filter((scan) => scan !== undefined);
      return {
        priority,
        source_count: own.length,
        complete_count: own.filter(isComplete).length,
        exact_read_incomplete_count: scanned.filter((scan) => !isExactlyRead(scan)).length,
        status_counts: countStatuses(scanned),
      };
    }),
    fail_open_preserved: true,
    raw_context_captured: false,
    private_locators_captured: false,
  };
}

function countStatuses(scans: readonly SourceScan[]): Readonly<Record<ScanStatus, number>> {
  const counts = { completed: 0, no_change: 0, failed: 0, unavailable: 0 };
  for (const status of STATUSES) counts[status] = scans.filter((scan) => scan.status === status).length;
  return counts;
}
