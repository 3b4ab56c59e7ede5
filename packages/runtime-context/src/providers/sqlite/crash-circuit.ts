import type { ProviderClock } from "../provider-clock.ts";

/** Keeps a database that crashes its reader from being tried again and again. */
export interface CrashCircuit {
  /** While open, nothing is started. After the cool-down one try is let through. */
  isOpen(): boolean;
  recordCrash(): void;
  recordAnswer(): void;
}

const CRASHES_TO_OPEN = 3;
const COOL_DOWN_MS = 30_000;

export function createCrashCircuit(clock: ProviderClock): CrashCircuit {
  let crashCount = 0;
  let openUntilMs = -Infinity;
  return {
    isOpen: () => clock.monotonicMs() < openUntilMs,
    recordCrash() {
      crashCount += 1;
      // One more crash after the cool-down opens it again at once.
      if (crashCount >= CRASHES_TO_OPEN) openUntilMs = clock.monotonicMs() + COOL_DOWN_MS;
    },
    recordAnswer() {
      crashCount = 0;
    },
  };
}
