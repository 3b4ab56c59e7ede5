/** What one check of somebody else's program or server came to. */
export interface ConformanceCheck {
  readonly name: string;
  readonly state: "passed" | "failed" | "skipped";
  /** What was seen, in words that repeat nothing of an answer. */
  readonly found: string;
  /** What its author changes, where it failed. */
  readonly remedy?: string;
}
