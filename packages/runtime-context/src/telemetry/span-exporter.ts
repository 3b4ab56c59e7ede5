import { randomBytes } from "node:crypto";
import type { ContextTrace } from "../trace/context-trace.ts";
import type { OtlpSettings } from "./otlp-settings.ts";
import { postOtlp, toResource } from "./post-otlp.ts";
import type { TraceParent } from "./trace-parent.ts";
import { toTurnSpans, type OtlpSpan } from "./turn-spans.ts";

/** Takes the traces of turns, and sends their spans in the background. A resource: close it before the process ends. */
export interface SpanExporter {
  /** Never throws and never waits. */
  add(trace: ContextTrace, request: { readonly parent: TraceParent | undefined; readonly isServed: boolean }): void;
  /** Spans that could not be sent, or for which there was no room. */
  readonly lostCount: number;
  /** Sends what is left, within `OTEL_EXPORTER_OTLP_TIMEOUT` and at most so many milliseconds. */
  close(withinMs: number): Promise<void>;
}

const BATCH = 512;
const ROOM = 4096;
const INTERVAL_MS = 5000;

/** Opens the way to a collector. Nothing is contacted before there are spans. What a collector does never fails a turn. */
export function createSpanExporter(settings: OtlpSettings, version: string): SpanExporter {
  let waiting: OtlpSpan[] = [];
  let lostCount = 0;
  let sending: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;

  const send = (timeoutMs: number): void => {
    clearTimeout(timer);
    timer = undefined;
    const spans = waiting;
    waiting = [];
    if (spans.length === 0) return;
    sending = sendAfter(sending, spans, timeoutMs);
  };
  /** One batch at a time. */
  const sendAfter = async (before: Promise<void>, spans: readonly OtlpSpan[], timeoutMs: number): Promise<void> => {
    await before;
    const resource = toResource(settings);
    const scopeSpans = [{ scope: { name: "loopx", version }, spans }];
    const isTaken = await postOtlp(settings, { resourceSpans: [{ resource, scopeSpans }] }, timeoutMs);
    if (!isTaken) lostCount += spans.length;
  };
  return {
    add(trace, { parent, isServed }) {
      const spans = toTurnSpans(trace, { parent, isServed, newHex });
      if (waiting.length + spans.length > ROOM) {
        lostCount += spans.length;
        return;
      }
      waiting.push(...spans);
      if (waiting.length >= BATCH) send(settings.timeoutMs);
      else timer ??= setTimeout(() => send(settings.timeoutMs), INTERVAL_MS).unref();
    },
    get lostCount() {
      return lostCount;
    },
    async close(withinMs) {
      send(Math.min(settings.timeoutMs, withinMs));
      await sending;
    },
  };
}

function newHex(digits: number): string {
  return randomBytes(digits / 2).toString("hex");
}
