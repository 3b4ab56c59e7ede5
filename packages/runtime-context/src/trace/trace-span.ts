import type { Instant } from "@loopx/contracts";

/**
 * The ten minutes in which a moment lies: `2026-11-30T21:4`. Spans sort as their moments do.
 *
 * A search by time looks at the traces of two spans and at one row of every span between: so its cost doesn't grow with the
 * number of traces in the time that is asked for.
 */
export function toTraceSpan(at: Instant): string {
  return at.slice(0, "2026-11-30T21:4".length);
}
