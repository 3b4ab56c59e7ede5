import type { ContextTrace } from "../trace/context-trace.ts";
import type { TurnResult } from "../kernel/turn-result.ts";

/**
 * Why the inputs of a turn can't be had exactly as they were, so that only asking the providers again would give it facts.
 *
 * `trace_altered`: the trace isn't as it was written. `content_missing`: it says that content was kept, and the store has
 * none and no word of its end. `digest_mismatch`: what was kept isn't what was answered.
 */
export const LIVE_DEPENDENCY_REASONS = [
  "trace_altered",
  "key_destroyed",
  "key_unknown",
  "build_missing",
  "binding_missing",
  "content_not_retained",
  "content_purged",
  "content_missing",
  "digest_mismatch",
] as const;

export type LiveDependencyReason = (typeof LIVE_DEPENDENCY_REASONS)[number];

/** What came of carrying out a recorded turn again, from what was recorded alone (seed 004, Reproduction). */
export type Reproduction =
  | { readonly verdict: "EXACT"; readonly trace: ContextTrace; readonly result: TurnResult }
  | {
      readonly verdict: "DIVERGED";
      readonly trace: ContextTrace;
      readonly result: TurnResult;
      readonly differences: readonly Difference[];
    }
  | {
      readonly verdict: "LIVE_DEPENDENCY_UNAVAILABLE";
      readonly reason: LiveDependencyReason;
      /** Whose facts are missing; null where it is about the turn as a whole. */
      readonly provider: string | null;
    };

/** A part of the trace that came out otherwise. Parts of traces hold no value, so both sides can be shown. */
export interface Difference {
  /** `outcome`, `layers`, `rendered`, … */
  readonly part: string;
  /** Of `layers`, `selection`, `unknowns` and `blockedBy`: whose. */
  readonly layer: string | null;
  /** Null where there is none on this side. */
  readonly recorded: unknown;
  readonly reproduced: unknown;
}
