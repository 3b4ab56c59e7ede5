import type { TracePage } from "./trace-search.ts";

/** A page of traces as it is answered. A whole trace keeps the spelling of its contract (decision 0001). */
export function toTracePagePacket({ traces, nextCursor }: TracePage): object {
  return {
    traces: traces.map(({ id, at, objective, consumer, profile, outcome, durationMs, providers }) => ({
      trace_id: id,
      at,
      objective,
      consumer,
      profile,
      outcome,
      duration_ms: durationMs,
      providers,
    })),
    next_cursor: nextCursor,
  };
}
