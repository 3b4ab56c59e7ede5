import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { startContextServer } from "../../support/context-server.ts";
import { readField } from "../../support/read-field.ts";
import { createSupportDesk } from "../../support/support-desk.ts";

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const SPAN = "00f067aa0ba902b7";
const REQUEST = {
  objective: "answer-ticket",
  consumer: "support-agent",
  inputs: { customerId: "CUST-1042", orderId: "ORD-20001" },
};

const desk = await createSupportDesk();
let received: string[] = [];
const collector = createServer((request, response) => {
  let text = `${request.url ?? ""} ${String(request.headers["api-key"])} `;
  request.setEncoding("utf8").on("data", (part: string) => (text += part));
  request.on("end", () => {
    received.push(text);
    response.end("{}");
  });
});
let env: Record<string, string>;

beforeAll(async () => {
  await new Promise<void>((resolve) => {
    collector.listen(0, "127.0.0.1", resolve);
  });
  const { port } = collector.address() as AddressInfo;
  env = { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`, OTEL_EXPORTER_OTLP_HEADERS: "api-key=k" };
});
beforeEach(() => {
  received = [];
});
afterAll(async () => {
  collector.close();
  await desk.remove();
});

interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
}

function listSpans(): readonly Span[] {
  return listDocuments("traces").flatMap(
    (document) => readField(document, "resourceSpans", 0, "scopeSpans", 0, "spans") as Span[],
  );
}

interface Metric {
  readonly name: string;
  readonly histogram?: { readonly dataPoints: readonly { readonly attributes: unknown; readonly count: string }[] };
  readonly sum?: { readonly dataPoints: readonly { readonly asInt: string }[] };
}

/** Of the last export: each holds everything since the start. */
function listMetrics(): ReadonlyMap<string, Metric> {
  const last = listDocuments("metrics").at(-1);
  const metrics = readField(last, "resourceMetrics", 0, "scopeMetrics", 0, "metrics") as Metric[];
  return new Map(metrics.map((metric) => [metric.name, metric]));
}

function listDocuments(signal: string): readonly unknown[] {
  const start = `/v1/${signal} k `;
  return received.filter((text) => text.startsWith(start)).map((text): unknown => JSON.parse(text.slice(start.length)));
}

test("a served turn and each call are spans below the caller's, with no content in them", async () => {
  const server = await startContextServer({ ...desk, env: { ...desk.env, ...env } });
  const headers = { "content-type": "application/json", traceparent: `00-${TRACE}-${SPAN}-01` };
  await fetch(`${server.url}/v1/turns`, { method: "POST", headers, body: JSON.stringify(REQUEST) });
  const unsampled = { ...headers, traceparent: `00-${TRACE}-${SPAN}-00` };
  await fetch(`${server.url}/v1/turns`, { method: "POST", headers: unsampled, body: JSON.stringify(REQUEST) });
  server.signal("SIGTERM");
  await server.ended;
  const spans = listSpans();
  expect(spans.map(({ name }) => name)).toEqual([
    "context.turn",
    "context.provider.lookup",
    "context.provider.lookup",
    "context.provider.lookup",
  ]);
  expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set([TRACE]));
  const [turn, ...calls] = spans;
  expect(turn?.parentSpanId).toBe(SPAN);
  for (const { parentSpanId } of calls) expect(parentSpanId).toBe(turn?.spanId);
  expect(received.join("")).not.toMatch(/CUST-|ORD-|Enterprise|lamps|crm-credential/);
});

test("a server's figures say how its requests, turns and lookups went, and hold no value", async () => {
  const interval = { OTEL_METRIC_EXPORT_INTERVAL: "100" };
  const server = await startContextServer({ ...desk, env: { ...desk.env, ...env, ...interval } });
  const post = { method: "POST", headers: { "content-type": "application/json" } };
  await fetch(`${server.url}/v1/turns`, { ...post, body: JSON.stringify(REQUEST) });
  await fetch(`${server.url}/v1/turns`, { ...post, body: JSON.stringify({ ...REQUEST, inputs: {} }) });
  await fetch(`${server.url}/v1/CUST-1042`, { headers: { "x-caller": "CUST-1042" } });
  await expect.poll(() => listDocuments("metrics").length).toBeGreaterThan(1);
  server.signal("SIGTERM");
  await server.ended;
  const metrics = listMetrics();
  const countOf = (name: string): readonly (readonly [string, string])[] =>
    (metrics.get(name)?.histogram?.dataPoints ?? []).map(({ attributes, count }) => [
      (attributes as readonly { readonly value: Readonly<Record<string, string>> }[])
        .map(({ value }) => Object.values(value)[0])
        .join(" "),
      count,
    ]);
  expect(countOf("loopx.context.turn.duration")).toEqual([
    ["READY answer-ticket", "1"],
    ["BLOCKED answer-ticket", "1"],
  ]);
  expect(countOf("http.server.request.duration")).toEqual(
    expect.arrayContaining([
      ["POST /v1/turns 200", "2"],
      [expect.stringMatching(/^GET .*404$/), "1"],
    ]),
  );
  expect(countOf("loopx.context.lookup.duration")).toContainEqual(["customer-data http OK", "1"]);
  expect(metrics.get("loopx.context.traces.stored")?.sum?.dataPoints[0]?.asInt).toBe("2");
  expect(received.join("")).not.toMatch(/CUST-|ORD-|Enterprise|lamps|crm-credential/);
});

test("a turn of the command line is exported before it ends, and a collector that is gone costs it nothing but time", async () => {
  const words = ["turn", `--build=${desk.build}`, "--binding=deployment/context-binding.json"];
  const asked = ["--objective=answer-ticket", "--consumer=support-agent", "--input=customerId=CUST-1042"];
  const turn = await desk.run([...words, ...asked], { env: { ...env, TRACEPARENT: `00-${TRACE}-${SPAN}-01` } });
  expect(turn).toMatchObject({ exitCode: 0 });
  expect(listSpans()[0]).toMatchObject({ name: "context.turn", traceId: TRACE, parentSpanId: SPAN });
  const gone = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:59998" };
  expect(await desk.run([...words, ...asked], { env: gone })).toMatchObject({ exitCode: 0 });
  const wrong = await desk.run([...words, ...asked], { env: { OTEL_EXPORTER_OTLP_ENDPOINT: "collector" } });
  expect(wrong).toMatchObject({ exitCode: 2, json: { error: { code: "invalid_value" } } });
});

test("without the variables nothing is exported", async () => {
  expect(await desk.turn()).toMatchObject({ exitCode: 0 });
  expect(received).toEqual([]);
});
