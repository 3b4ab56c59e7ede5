import { describe, expect, test } from "vitest";
import { readOtlpSettings } from "../../src/telemetry/otlp-settings.ts";
import { parseTraceParent } from "../../src/telemetry/trace-parent.ts";

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const SPAN = "00f067aa0ba902b7";

describe("the caller's span", () => {
  test.each([
    [`00-${TRACE}-${SPAN}-01`, { traceId: TRACE, spanId: SPAN, isSampled: true }],
    [`00-${TRACE}-${SPAN}-00`, { traceId: TRACE, spanId: SPAN, isSampled: false }],
    [`01-${TRACE}-${SPAN}-03-later`, { traceId: TRACE, spanId: SPAN, isSampled: true }],
    [`00-${TRACE}-${SPAN}-01-more`, undefined],
    [`ff-${TRACE}-${SPAN}-01`, undefined],
    [`00-${"0".repeat(32)}-${SPAN}-01`, undefined],
    [`00-${TRACE}-${"0".repeat(16)}-01`, undefined],
    [`00-${TRACE.toUpperCase()}-${SPAN}-01`, undefined],
    ["", undefined],
    [undefined, undefined],
  ])("%s", (header, parent) => {
    expect(parseTraceParent(header)).toEqual(parent);
  });
});

describe("where spans go", () => {
  test.each<[string, Record<string, string>]>([
    ["without an endpoint", {}],
    ["when the SDK is disabled", { OTEL_SDK_DISABLED: "TRUE", OTEL_EXPORTER_OTLP_ENDPOINT: "http://c:4318" }],
    ["with no exporter of traces", { OTEL_TRACES_EXPORTER: "none", OTEL_EXPORTER_OTLP_ENDPOINT: "http://c:4318" }],
  ])("is nowhere %s", (_case, env) => {
    expect(readOtlpSettings(env, "traces")).toBeNull();
  });

  test("is the endpoint for all signals with the path of traces, or the one for traces as it is", () => {
    const all = readOtlpSettings({ OTEL_EXPORTER_OTLP_ENDPOINT: "http://c:4318/" }, "traces");
    expect(all).toMatchObject({ url: "http://c:4318/v1/traces", timeoutMs: 10_000 });
    const env = {
      OTEL_EXPORTER_OTLP_ENDPOINT: "http://c:4318",
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "https://t/in",
      OTEL_EXPORTER_OTLP_HEADERS: "api-key=a%20b, broken, x=%",
      OTEL_EXPORTER_OTLP_TIMEOUT: "500",
      OTEL_SERVICE_NAME: "desk",
      OTEL_RESOURCE_ATTRIBUTES: "deployment.environment=prod,service.name=other",
    };
    const own = readOtlpSettings(env, "traces");
    expect(own).toEqual({
      url: "https://t/in",
      headers: { "api-key": "a b" },
      timeoutMs: 500,
      resource: { "service.name": "desk", "deployment.environment": "prod" },
    });
    expect(readOtlpSettings(env, "metrics")).toMatchObject({ url: "http://c:4318/v1/metrics" });
  });

  test("is said for each signal of its own", () => {
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://c:4318", OTEL_METRICS_EXPORTER: "none" };
    expect(readOtlpSettings(env, "metrics")).toBeNull();
    expect(readOtlpSettings(env, "traces")).not.toBeNull();
  });

  test.each([
    { OTEL_EXPORTER_OTLP_ENDPOINT: "c:4318" },
    { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "file:///tmp/spans" },
    { OTEL_EXPORTER_OTLP_ENDPOINT: "http://c:4317", OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" },
  ])("%j is refused by name", (env) => {
    expect(() => readOtlpSettings(env, "traces")).toThrow(/OTEL_EXPORTER_OTLP_/);
  });
});
