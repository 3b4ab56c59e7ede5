/** What was found of one rule. */
export interface ConformanceCheck {
  readonly name: string;
  readonly state: "passed" | "failed" | "skipped";
  /** What was seen, in words. */
  readonly found: string;
  /** What an author changes, where it failed. */
  readonly remedy?: string;
}

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
