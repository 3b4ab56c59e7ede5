import type { ConformanceCheck } from "@loopx/contracts";

/** `loopx_extension_check_v0`. */
export interface ConformanceReport {
  readonly ok: boolean;
  readonly schema_version: "loopx_extension_check_v0";
  readonly extension_id: string;
  readonly version: string;
  readonly passed_count: number;
  readonly failed_count: number;
  readonly skipped_count: number;
  readonly checks: readonly ConformanceCheck[];
}
