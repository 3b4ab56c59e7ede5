import type { ReactNode } from "react";
import type { ShownProvenance, ShownTrace } from "../../contract/context-traces.ts";
import { StatusBadge } from "./outcome-badge.tsx";

/** The lookups of a turn against its whole time: which began when, and which of them the turn waited for. */
export function TraceWaterfall({ trace }: { readonly trace: ShownTrace }): ReactNode {
  const asked = trace.providers.filter(({ observedAt, attempts }) => observedAt !== null && attempts > 0);
  if (asked.length === 0)
    return <p className="faint">Nobody was asked: the {trace.durationMs} ms are the runtime's own.</p>;
  const wholeMs = Math.max(trace.durationMs, ...asked.map((from) => toSpan(from, trace).endMs), 1);
  return (
    <ol className="waterfall">
      <li>
        <span>the whole turn</span>
        <Track startMs={0} lengthMs={trace.durationMs} wholeMs={wholeMs} kind="turn" />
        <span className="figure">{trace.durationMs} ms</span>
      </li>
      {asked.map((from) => (
        <li key={from.provider}>
          <span>
            <code>{from.provider}</code> <StatusBadge status={from.status} />
          </span>
          <Track {...toSpan(from, trace)} wholeMs={wholeMs} kind={from.status === "OK" ? "answered" : "failed"} />
          <span className="figure">{from.durationMs} ms</span>
        </li>
      ))}
    </ol>
  );
}

/** An outcome is stamped when it is there, in whole milliseconds: its beginning is counted back from that. */
function toSpan({ observedAt, durationMs }: ShownProvenance, { at }: ShownTrace): Span {
  const endMs = Math.max(0, Date.parse(observedAt ?? at) - Date.parse(at));
  const startMs = Math.max(0, endMs - durationMs);
  return { startMs, lengthMs: durationMs, endMs: startMs + durationMs };
}

interface Span {
  readonly startMs: number;
  readonly lengthMs: number;
  readonly endMs: number;
}

interface TrackProps {
  readonly startMs: number;
  readonly lengthMs: number;
  readonly wholeMs: number;
  readonly kind: "turn" | "answered" | "failed";
}

/** The figures stand beside it as text. */
function Track({ startMs, lengthMs, wholeMs, kind }: TrackProps): ReactNode {
  const left = `${(startMs / wholeMs) * 100}%`;
  const width = `${Math.max((lengthMs / wholeMs) * 100, 0.5)}%`;
  return (
    <span className="waterfall-track" aria-hidden="true">
      <span className={`waterfall-bar waterfall-${kind}`} style={{ left, width }} />
    </span>
  );
}
