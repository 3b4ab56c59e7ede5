import { toAttributes, type OtlpAttribute } from "./otlp-attributes.ts";

/** One series of a histogram, in OTLP's JSON. */
export interface HistogramPoint {
  readonly attributes: readonly OtlpAttribute[];
  readonly startTimeUnixNano: string;
  readonly timeUnixNano: string;
  readonly count: string;
  readonly sum: number;
  readonly bucketCounts: readonly string[];
  readonly explicitBounds: readonly number[];
}

/** Upper bounds in seconds, as OpenTelemetry's conventions give them for the duration of requests. */
const BOUNDS: readonly number[] = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];
/** Series of one histogram. Names come from builds, which are bounded; this holds when many are loaded one after another. */
const MOST_SERIES = 1_000;
const OVERFLOW = { "otel.metric.overflow": "true" };

interface Series {
  readonly attributes: readonly OtlpAttribute[];
  readonly bucketCounts: number[];
  count: number;
  sum: number;
}

/** How long something took, in seconds, counted from the start on and told apart by attributes. */
export class DurationHistogram {
  readonly #series = new Map<string, Series>();

  /** Counts one. Beyond the most series there may be, in one for all that is left. */
  record(durationMs: number, attributes: Readonly<Record<string, string | number>>): void {
    const series = this.#find(attributes);
    const seconds = durationMs / 1000;
    series.count += 1;
    series.sum += seconds;
    const at = BOUNDS.findIndex((bound) => seconds <= bound);
    const bucket = at === -1 ? BOUNDS.length : at;
    series.bucketCounts[bucket] = (series.bucketCounts[bucket] ?? 0) + 1;
  }

  /** What was counted so far. */
  toPoints(time: Pick<HistogramPoint, "startTimeUnixNano" | "timeUnixNano">): readonly HistogramPoint[] {
    return [...this.#series.values()].map(({ attributes, bucketCounts, count, sum }) => ({
      attributes,
      ...time,
      count: String(count),
      sum,
      bucketCounts: bucketCounts.map(String),
      explicitBounds: BOUNDS,
    }));
  }

  #find(attributes: Readonly<Record<string, string | number>>): Series {
    const key = JSON.stringify(attributes);
    const known = this.#series.get(key);
    if (known !== undefined) return known;
    if (this.#series.size >= MOST_SERIES && attributes !== OVERFLOW) return this.#find(OVERFLOW);
    const fresh = {
      attributes: toAttributes(attributes),
      bucketCounts: BOUNDS.map(() => 0).concat(0),
      count: 0,
      sum: 0,
    };
    this.#series.set(key, fresh);
    return fresh;
  }
}
