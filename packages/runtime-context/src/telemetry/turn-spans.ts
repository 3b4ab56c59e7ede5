import { toEpochMs } from "@loopx/contracts";
import type { ContextTrace, ProviderProvenance } from "../trace/context-trace.ts";
import { toAttributes, type OtlpAttribute } from "./otlp-attributes.ts";
import type { TraceParent } from "./trace-parent.ts";

/** A span in OTLP's JSON. */
export interface OtlpSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly OtlpAttribute[];
  readonly status: { readonly code?: number; readonly message?: string };
}

const KINDS = { internal: 1, server: 2, client: 3 } as const;
const STATUS_ERROR = 2;

export interface SpanParts {
  readonly parent: TraceParent | undefined;
  /** Of a turn that a request over HTTP asked for. */
  readonly isServed: boolean;
  /** Random hex digits, so many. */
  readonly newHex: (digits: number) => string;
}

/**
 * The spans of one turn: its own, and one for each provider that was called.
 *
 * Made of the trace alone, which holds names, states and times: no value, record or content can get into an attribute.
 * Empty where the caller's trace is not sampled.
 */
export function toTurnSpans(trace: ContextTrace, { parent, isServed, newHex }: SpanParts): readonly OtlpSpan[] {
  if (parent?.isSampled === false) return [];
  const traceId = parent?.traceId ?? newHex(32);
  const spanId = newHex(16);
  const startMs = toEpochMs(trace.at);
  const turn: OtlpSpan = {
    traceId,
    spanId,
    ...(parent === undefined ? {} : { parentSpanId: parent.spanId }),
    name: "context.turn",
    kind: isServed ? KINDS.server : KINDS.internal,
    startTimeUnixNano: toNanos(startMs),
    endTimeUnixNano: toNanos(startMs + trace.durationMs),
    attributes: toAttributes({
      "loopx.context.trace_id": trace.id,
      "loopx.context.outcome": trace.outcome,
      "loopx.context.objective": trace.objective,
      "loopx.context.consumer": trace.consumer,
      "loopx.context.profile": trace.profile,
      "loopx.context.deployment": trace.deployment,
      "loopx.context.build": trace.buildDigest,
      "loopx.context.bytes": trace.budget.used,
      "loopx.context.unknown_count": trace.unknowns.length,
    }),
    status: {},
  };
  const called = trace.providers.filter(({ attempts }) => attempts > 0);
  return [turn, ...called.flatMap((provider) => toProviderSpan(provider, turn, newHex(16)) ?? [])];
}

function toProviderSpan(provider: ProviderProvenance, turn: OtlpSpan, spanId: string): OtlpSpan | undefined {
  const { status, observedAt } = provider;
  if (observedAt === null) return undefined;
  const endMs = toEpochMs(observedAt);
  const isAnswer = status === "OK" || status === "NOT_FOUND";
  return {
    traceId: turn.traceId,
    spanId,
    parentSpanId: turn.spanId,
    name: "context.provider.lookup",
    kind: KINDS.client,
    startTimeUnixNano: toNanos(endMs - provider.durationMs),
    endTimeUnixNano: toNanos(endMs),
    attributes: toAttributes({
      "loopx.context.provider": provider.provider,
      "loopx.context.provider_type": provider.providerType,
      "loopx.context.provider_status": status,
      "loopx.context.provider_reason": provider.reason,
      "loopx.context.currentness": provider.currentness,
      "loopx.context.item_count": provider.itemLocators.length,
      "loopx.context.attempts": provider.attempts,
    }),
    status: isAnswer ? {} : { code: STATUS_ERROR, message: status },
  };
}

function toNanos(epochMs: number): string {
  return `${Math.round(epochMs)}000000`;
}
