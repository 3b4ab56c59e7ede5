import type { ProviderClock } from "./provider-clock.ts";
import type { ProviderFault } from "./provider-fault.ts";

/** Node turns a longer timer into one of a millisecond. */
const LONGEST_TIMER_MS = 2_147_483_647;

/** One wall clock over everything a lookup does. Progress never moves it. */
export interface Deadline {
  hasPassed(): boolean;
  /** What the lookup becomes when it passes: the provider's own limit or the turn's. */
  readonly fault: ProviderFault;
  remainingMs(): number;
  /** Calls once when the deadline passes; the answer stops that. */
  onPassed(callback: () => void): () => void;
}

/** A deadline that starts now: the provider's own limit, or what is left of the turn where that is less. */
export function startDeadline(timeoutMs: number, turnRemainingMs: number, clock: ProviderClock): Deadline {
  const isTurns = turnRemainingMs < timeoutMs;
  const endsMs = clock.monotonicMs() + Math.max(0, Math.min(timeoutMs, turnRemainingMs));
  return {
    hasPassed: () => clock.monotonicMs() >= endsMs,
    fault: { status: "TIMEOUT", reason: isTurns ? "TURN_DEADLINE" : null },
    remainingMs: () => Math.max(0, endsMs - clock.monotonicMs()),
    onPassed(callback) {
      const timer = setTimeout(callback, Math.min(LONGEST_TIMER_MS, Math.max(0, endsMs - clock.monotonicMs())));
      return () => clearTimeout(timer);
    },
  };
}
