/** The caller's span, as W3C Trace Context names it. */
export interface TraceParent {
  readonly traceId: string;
  readonly spanId: string;
  /** False where the caller keeps nothing of this trace: neither do we. */
  readonly isSampled: boolean;
}

const TRACE_PARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** The span that a `traceparent` names; undefined where it is none, which starts a trace of our own. */
export function parseTraceParent(header: string | undefined): TraceParent | undefined {
  const [, version, traceId = "", spanId = "", flags = "", more] = TRACE_PARENT.exec(header ?? "") ?? [];
  if (version === undefined || version === "ff" || (version === "00" && more !== undefined)) return undefined;
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  return { traceId, spanId, isSampled: Number.parseInt(flags, 16) % 2 === 1 };
}
