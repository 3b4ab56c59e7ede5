import { toInstant } from "@loopx/contracts";
import { describe, expect, test } from "vitest";
import { DurationHistogram } from "../../src/telemetry/histogram.ts";
import { readExportInterval } from "../../src/telemetry/metric-exporter.ts";
import { ServerMetrics } from "../../src/telemetry/server-metrics.ts";

const TIME = { startTimeUnixNano: "1", timeUnixNano: "2" };

describe("a histogram of durations", () => {
  test("counts each in the first bucket that holds it, in seconds", () => {
    const histogram = new DurationHistogram();
    for (const milliseconds of [0, 5, 5.1, 10_000, 10_001]) histogram.record(milliseconds, { outcome: "READY" });
    histogram.record(30, { outcome: "BLOCKED" });
    const [ready, blocked] = histogram.toPoints(TIME);
    expect(ready).toMatchObject({
      attributes: [{ key: "outcome", value: { stringValue: "READY" } }],
      count: "5",
      bucketCounts: ["2", "1", "0", "0", "0", "0", "0", "0", "0", "0", "0", "0", "0", "1", "1"],
    });
    expect(ready?.sum).toBeCloseTo(20.0111, 6);
    expect(blocked).toMatchObject({ count: "1", bucketCounts: expect.arrayContaining(["1"]) });
  });

  test("has a bound to its series: what is beyond it is counted together", () => {
    const histogram = new DurationHistogram();
    for (let name = 0; name < 1_200; name += 1) histogram.record(1, { name });
    const points = histogram.toPoints(TIME);
    expect(points).toHaveLength(1_001);
    expect(points.at(-1)).toMatchObject({
      count: "200",
      attributes: [{ key: "otel.metric.overflow", value: { stringValue: "true" } }],
    });
  });
});

describe("the figures of a server", () => {
  const startedAt = toInstant(Date.UTC(2026, 2, 1, 10));
  const now = toInstant(Date.UTC(2026, 2, 1, 10, 1));

  test("hold what became of its traces, and histograms only of what happened", () => {
    const traces = { storedCount: 7, pendingCount: 2, lostCount: 1, lastLossCode: null };
    const metrics = new ServerMetrics(startedAt, () => traces);
    const quiet = metrics.collect(now);
    expect(quiet.map(({ name }) => name)).toEqual([
      "loopx.context.traces.stored",
      "loopx.context.traces.lost",
      "loopx.context.traces.pending",
      "nodejs.eventloop.delay.p99",
      "process.memory.usage",
    ]);
    expect(quiet[1]?.sum).toMatchObject({
      isMonotonic: true,
      dataPoints: [{ startTimeUnixNano: "1772359200000000000", timeUnixNano: "1772359260000000000", asInt: "1" }],
    });
    metrics.addRequest({ method: "POST", route: "/v1/turns", status: 200, durationMs: 3 });
    const [requests] = metrics.collect(now);
    expect(requests).toMatchObject({ name: "http.server.request.duration", unit: "s" });
    expect(JSON.stringify(requests)).toContain('{"key":"http.response.status_code","value":{"intValue":"200"}}');
    metrics.close();
  });

  test("are sent each minute unless the standard variable says otherwise", () => {
    expect(readExportInterval({})).toBe(60_000);
    expect(readExportInterval({ OTEL_METRIC_EXPORT_INTERVAL: "5000" })).toBe(5_000);
    for (const wrong of ["0", "-1", "soon", "1"]) {
      expect(readExportInterval({ OTEL_METRIC_EXPORT_INTERVAL: wrong })).toBe(60_000);
    }
  });
});
