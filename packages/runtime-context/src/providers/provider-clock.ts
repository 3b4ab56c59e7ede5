import type { Instant } from "@loopx/contracts";

/** Wall time for what is recorded, monotonic time for what is measured: a set clock must not stretch a deadline. */
export interface ProviderClock {
  now(): Instant;
  /** Milliseconds since an arbitrary moment; never goes back. */
  monotonicMs(): number;
}
