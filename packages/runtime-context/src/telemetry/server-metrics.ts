import { monitorEventLoopDelay } from "node:perf_hooks";
import { toEpochMs, type Instant } from "@loopx/contracts";
import type { RequestLog } from "../server/context-api.ts";
import type { ContextTrace } from "../trace/context-trace.ts";
import type { TraceWriteStatus } from "../trace/trace-queue.ts";
import { DurationHistogram } from "./histogram.ts";
import type { OtlpAttribute } from "./otlp-attributes.ts";

/** A metric in OTLP's JSON. */
export interface OtlpMetric {
  readonly name: string;
  readonly unit: string;
  readonly description: string;
  readonly sum?: object;
  readonly gauge?: object;
  readonly histogram?: object;
}

const CUMULATIVE = 2;
const NANOS_A_SECOND = 1e9;
const DELAY_RESOLUTION_MS = 20;

/**
 * What one server counted since it started: requests, turns, lookups, traces, and how its process is.
 *
 * Attributes are routes, statuses, and names that a build declares. No value, record, header or caller's id is among them.
 */
export class ServerMetrics {
  readonly #startedAt: Instant;
  readonly #readTraces: () => TraceWriteStatus;
  readonly #requests = new DurationHistogram();
  readonly #turns = new DurationHistogram();
  readonly #lookups = new DurationHistogram();
  readonly #delay = monitorEventLoopDelay({ resolution: DELAY_RESOLUTION_MS });

  constructor(startedAt: Instant, readTraces: () => TraceWriteStatus) {
    this.#startedAt = startedAt;
    this.#readTraces = readTraces;
    this.#delay.enable();
  }

  /** Ends the watch over the event loop. */
  close(): void {
    this.#delay.disable();
  }

  addRequest({ method, route, status, durationMs }: RequestLog): void {
    this.#requests.record(durationMs, {
      "http.request.method": method,
      "http.route": route,
      "http.response.status_code": status,
    });
  }

  addTurn({ outcome, objective, durationMs, providers }: ContextTrace): void {
    this.#turns.record(durationMs, { "loopx.context.outcome": outcome, "loopx.context.objective": objective });
    for (const lookup of providers) {
      if (lookup.attempts === 0) continue;
      this.#lookups.record(lookup.durationMs, {
        "loopx.context.provider": lookup.provider,
        "loopx.context.provider_type": lookup.providerType ?? "",
        "loopx.context.provider_status": lookup.status,
      });
    }
  }

  /** Everything as it is now. The event loop's delay is that since the last call. */
  collect(now: Instant): readonly OtlpMetric[] {
    const time = { startTimeUnixNano: toNanos(this.#startedAt), timeUnixNano: toNanos(now) };
    const traces = this.#readTraces();
    // Without a sample the histogram has no number to give.
    const delaySeconds = this.#delay.count === 0 ? 0 : this.#delay.percentile(99) / NANOS_A_SECOND;
    this.#delay.reset();
    const count = (asInt: number): object => toSum({ ...time, asInt: String(asInt) });
    return [
      ...toHistogram("http.server.request.duration", "Duration of requests", this.#requests.toPoints(time)),
      ...toHistogram("loopx.context.turn.duration", "Duration of turns by outcome", this.#turns.toPoints(time)),
      ...toHistogram("loopx.context.lookup.duration", "Duration of lookups by status", this.#lookups.toPoints(time)),
      { ...STORED, sum: count(traces.storedCount) },
      { ...LOST, sum: count(traces.lostCount) },
      { ...PENDING, gauge: toGauge({ ...time, asInt: String(traces.pendingCount) }) },
      { ...DELAY, gauge: toGauge({ ...time, asDouble: delaySeconds }) },
      { ...MEMORY, gauge: toGauge({ ...time, asInt: String(process.memoryUsage.rss()) }) },
    ];
  }
}

const STORED = { name: "loopx.context.traces.stored", unit: "{trace}", description: "Traces written" };
const LOST = { name: "loopx.context.traces.lost", unit: "{trace}", description: "Traces that could not be written" };
const PENDING = {
  name: "loopx.context.traces.pending",
  unit: "{trace}",
  description: "Traces that wait to be written",
};
const DELAY = {
  name: "nodejs.eventloop.delay.p99",
  unit: "s",
  description: "99th percentile of the event loop's delay",
};
const MEMORY = { name: "process.memory.usage", unit: "By", description: "Resident memory" };

/** None at all before anything was counted. */
function toHistogram(name: string, description: string, dataPoints: readonly object[]): readonly OtlpMetric[] {
  if (dataPoints.length === 0) return [];
  return [{ name, unit: "s", description, histogram: { aggregationTemporality: CUMULATIVE, dataPoints } }];
}

function toSum(point: object): object {
  return {
    aggregationTemporality: CUMULATIVE,
    isMonotonic: true,
    dataPoints: [{ attributes: NO_ATTRIBUTES, ...point }],
  };
}

function toGauge(point: object): object {
  return { dataPoints: [{ attributes: NO_ATTRIBUTES, ...point }] };
}

const NO_ATTRIBUTES: readonly OtlpAttribute[] = [];

function toNanos(at: Instant): string {
  return `${toEpochMs(at)}000000`;
}
