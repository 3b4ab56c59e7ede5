import type { ProviderClock } from "./provider-clock.ts";

/** `half_open`: the cool-down is over, and the next call tells. */
export type CircuitState = "closed" | "open" | "half_open";

/** Keeps a provider that fails and fails from being tried again and again (facts 5.2, T8; 5.8, Q9). */
export interface Circuit {
  readonly state: CircuitState;
  /** Whether a call may begin. After the cool-down one may; the others wait for what becomes of it, or a cool-down more. */
  mayCall(): boolean;
  recordFailure(): void;
  recordAnswer(): void;
}

export interface CircuitLimits {
  /** Failures without an answer in between that open it. */
  readonly failureCount: number;
  readonly coolDownMs: number;
}

export function createCircuit(clock: ProviderClock, { failureCount, coolDownMs }: CircuitLimits): Circuit {
  let failures = 0;
  let openUntilMs = -Infinity;
  const findState = (): CircuitState => {
    if (failures < failureCount) return "closed";
    return clock.monotonicMs() < openUntilMs ? "open" : "half_open";
  };
  const open = (): void => {
    openUntilMs = clock.monotonicMs() + coolDownMs;
  };
  return {
    get state() {
      return findState();
    },
    mayCall() {
      const state = findState();
      if (state === "half_open") open();
      return state !== "open";
    },
    recordFailure() {
      failures += 1;
      // One more failure after the cool-down opens it again at once.
      if (failures >= failureCount) open();
    },
    recordAnswer() {
      failures = 0;
    },
  };
}
