// What runs of tests and comparisons of builds are asked with, and the lines that they answer.
import type { ContextOutcome, PlaceFault } from "./context.ts";

/** `POST /api/context/places/:place/tests` takes this and answers lines of JSON, each a `ContextRunLine`. */
export interface ContextTestsRequest {
  /** Words of which a test's id or name contains one; none runs them all. */
  readonly filter: readonly string[];
}

/** `POST /api/context/places/:place/regressions` takes this and answers as the tests do. */
export interface ContextRegressionRequest extends ContextTestsRequest {
  readonly baseline: string;
  readonly candidate: string;
}

/** One line of a run: how far it is, then what came of it or why nothing did. The last line is no progress. */
export type ContextRunLine<Report> =
  | { readonly kind: "progress"; readonly done: number; readonly total: number }
  | { readonly kind: "report"; readonly report: Report }
  | { readonly kind: "error"; readonly error: PlaceFault };

export interface ContextTestsReport {
  readonly verdict: "PASSED" | "FAILED" | "NOT_VERIFIED";
  readonly counts: {
    readonly total: number;
    readonly passed: number;
    readonly failed: number;
    readonly unknown: number;
  };
  /** Those that did not pass, at most 200, then those that did. */
  readonly tests: readonly ContextTestVerdict[];
}

export interface ContextTestVerdict {
  readonly test: string;
  readonly name?: string;
  readonly status: "PASSED" | "FAILED" | "UNKNOWN";
  readonly outcome?: ContextOutcome;
  readonly failures?: readonly TestFailureRow[];
  readonly warnings?: readonly { readonly code: string; readonly says: string }[];
  readonly rendered?: string;
}

export interface TestFailureRow {
  /** JSON pointer into the project. */
  readonly at: string;
  readonly expected: string;
  readonly got: string;
}

export interface ContextRegressionReport {
  readonly verdict: "UNCHANGED" | "CHANGED" | "REGRESSED" | "NOT_VERIFIED";
  readonly counts: {
    readonly total: number;
    readonly unchanged: number;
    readonly changed: number;
    readonly mended: number;
    readonly regressed: number;
    readonly unknown: number;
  };
  /** What differs between the builds themselves. */
  readonly differences: readonly string[];
  /** Those that changed, at most 200. */
  readonly tests: readonly ContextTestChange[];
}

export interface ContextTestChange {
  readonly test: string;
  readonly name?: string;
  readonly status: "UNCHANGED" | "CHANGED" | "MENDED" | "REGRESSED" | "UNKNOWN";
  readonly turn?: readonly FieldChangeRow[];
  readonly layers?: readonly {
    readonly layer: string;
    readonly fields: readonly FieldChangeRow[];
    readonly text?: LineChanges;
    readonly because: readonly string[];
  }[];
  readonly unknowns?: LineChanges | null;
  readonly failures?: readonly TestFailureRow[];
  readonly warnings?: readonly { readonly code: string; readonly says: string }[];
}

export interface FieldChangeRow {
  readonly field: string;
  readonly before: string | null;
  readonly after: string | null;
}

export interface LineChanges {
  readonly removed: readonly string[];
  readonly added: readonly string[];
}
