import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { readField, readText } from "../../support/read-field.ts";
import { BINDING, createSupportDesk, editBinding } from "../../support/support-desk.ts";
import { verifies } from "../../support/verifies.ts";
import { startWorkstation, type HttpAnswer } from "../../support/workstation-server.ts";

const desk = await createSupportDesk();
// A busy machine must not look like a slow provider.
editBinding(desk.folder, (text) => text.replaceAll(/"timeoutMs": \d+/g, '"timeoutMs": 9000'));
const server = await startWorkstation(
  { program: desk.world.program, project: desk.folder, env: desk.env },
  { flags: ["--context-project=project", BINDING, "--traces=traces"] },
);
const cookie = await server.signIn();
const place = readText((await get("/api/context/places")).json, "places", 0, "place");

afterAll(async () => {
  await server.stop();
  await desk.remove();
});

function get(path: string): Promise<HttpAnswer> {
  return server.ask(path, { headers: { cookie } });
}

function post(path: string, body: object): Promise<HttpAnswer> {
  return server.ask(path, { method: "POST", headers: { cookie, origin: server.url }, body });
}

describe("the explorer", () => {
  test("lists the project that was named at start, and says what is known of it", async () => {
    expect((await get("/api/context/places")).json).toMatchObject({
      ok: true,
      places: [
        { label: "support-desk", version: "0.1.0", has_binding: true, keeps_traces: true, named_at_start: true },
      ],
    });
  });

  test("shows what each profile makes of each layer, as the Kernel plans it", async () => {
    const asked = await get(`/api/context/places/${place}?objective=answer-ticket`);
    expect(asked.json).toMatchObject({
      asked: { objective: "answer-ticket", consumer: "support-agent" },
      cells: [
        { layer: "house-rules", rule: "required", applies: "IN_SCOPE" },
        { layer: "customer-profile", rule: "required", applies: "NEEDS_INPUT" },
        { layer: "order-status", rule: "optional", accept: ["CURRENT", "UNKNOWN"] },
        { layer: "earlier-tickets", priority: 40 },
      ],
      builds: [{ build: "working" }, {}, { build: "current", is_current: true }],
    });
    const planned = await get(`/api/context/places/${place}?objective=plan-shift`);
    expect(planned.json).toMatchObject({
      cells: [{ applies: "IN_SCOPE" }, { applies: "OBJECTIVE_OUT_OF_SCOPE" }, {}, {}],
    });
  });

  test("refuses an objective that the project doesn't have, and a place that nobody knows", async () => {
    expect((await get(`/api/context/places/${place}?objective=dance`)).status).toBe(400);
    expect(await get("/api/context/places/0000000000000000")).toMatchObject({ status: 404, json: { ok: false } });
  });

  test("names no folder of this machine", async () => {
    const answers = [await get("/api/context/places"), await get(`/api/context/places/${place}`)];
    for (const { json } of answers) expect(JSON.stringify(json)).not.toContain(desk.folder);
  });
});

describe("a preview", () => {
  const asked = { objective: "answer-ticket", consumer: "support-agent" };

  test("takes the fixtures of the tests by lookup value, asks nobody, and marks what a provider said", async () => {
    verifies("fixtures.workstation");
    await desk.crm.stop();
    const inputs = { customerId: "CUST-1042", orderId: "ORD-20001" };
    const { json } = await post(`/api/context/places/${place}/preview`, { ...asked, inputs });
    expect(json).toMatchObject({
      outcome: "READY",
      sources: [{ provider: "customer-data", source: "TEST_FIXTURE", tests: ["everything-at-hand"] }, {}, {}],
      budget: { bytes: 16_384 },
    });
    const segments = readField(json, "segments") as readonly { kind: string; text: string }[];
    const fences = segments.filter(({ kind }) => kind === "fence");
    expect(fences.map(({ text }) => text)).toEqual([
      'plan: "Enterprise"\n\nOn the Enterprise plan since 2024.',
      "Two desk lamps, shipped.",
      'title: "Late parcel"\n\nSolved in a day.',
    ]);
    await desk.restartCrm([]);
  });

  test("with a value that no test has a fixture for says so, and the layer is UNAVAILABLE as when nobody answers", async () => {
    verifies("fixtures.workstation");
    const inputs = { customerId: "CUST-9999", orderId: "ORD-20001" };
    expect((await post(`/api/context/places/${place}/preview`, { ...asked, inputs })).json).toMatchObject({
      outcome: "BLOCKED",
      sources: [{ provider: "customer-data", source: null, warning: { code: "PROVIDER_FIXTURE_MISSING" } }, {}, {}],
      segments: [],
    });
  });

  test("takes the fixtures of another value no further: the same test answers a different customer differently", async () => {
    const inputs = { customerId: "CUST-2077", orderId: "ORD-20077" };
    expect((await post(`/api/context/places/${place}/preview`, { ...asked, inputs })).json).toMatchObject({
      outcome: "DEGRADED",
      sources: [{ tests: ["slow-ticket-history"] }, {}, {}],
    });
  });
});

function search(body: object): Promise<HttpAnswer> {
  return post(`/api/context/places/${place}/traces/search`, body);
}

describe("a trace", () => {
  test("says in sentences why its turn was DEGRADED, and which provider was to blame", async () => {
    const before = readBinding();
    editBinding(desk.folder, (text) => text.replace(/("ticket-history": \{[^}]*"timeoutMs": )9000/, "$1300"));
    await desk.restartCrm(["--slow=ticket-history"]);
    const traceId = readText((await desk.turn()).json, "trace_id");
    await desk.restartCrm([]);
    editBinding(desk.folder, () => before);
    const { json } = await get(`/api/context/traces/${traceId}`);
    expect(json).toMatchObject({
      place,
      trace: { id: traceId, outcome: "DEGRADED" },
      reading: {
        says: expect.stringContaining("current facts of one layer are unknown") as string,
        because: [
          {
            layer: "earlier-tickets",
            provider: "ticket-history",
            word: "PROVIDER_TIMEOUT",
            says: expect.stringContaining("did not answer within its time") as string,
          },
        ],
      },
    });
  });

  test("is found by the search of the command line, a lookup value included, and a page says where the next begins", async () => {
    const traceId = readText((await desk.turn()).json, "trace_id");
    const first = await search({ limit: "1" });
    expect(first.json).toMatchObject({ traces: [{ trace_id: traceId, outcome: "READY" }] });
    const cursor = readText(first.json, "next_cursor");
    expect((await search({ cursor, provider: "ticket-history", providerStatus: "TIMEOUT" })).json).toMatchObject({
      traces: [{ outcome: "DEGRADED" }],
      next_cursor: null,
    });
    const byValue = { provider: "customer-data", input: "customerId=CUST-1042" };
    expect(readField((await search(byValue)).json, "traces")).toHaveLength(2);
    expect((await search({ ...byValue, input: "customerId=CUST-0000" })).json).toMatchObject({ traces: [] });
    expect(await search({ input: "customerId=CUST-1042" })).toMatchObject({ status: 400 });
    expect(await search({ outcome: "FINE" })).toMatchObject({ status: 400 });
  });

  test("is reproduced from what was kept, and where nothing was kept the answer says why not", async () => {
    const unkept = readText((await desk.turn()).json, "trace_id");
    expect((await post(`/api/context/traces/${unkept}/reproduce`, { place })).json).toMatchObject({
      ok: false,
      result: "LIVE_DEPENDENCY_UNAVAILABLE",
      reason: "content_not_retained",
      provider: "customer-data",
      says: expect.stringContaining("was not kept") as string,
    });
    editBinding(desk.folder, (text) => text.replaceAll(/"type": /g, '"retention": "content", "type": '));
    const kept = readText((await desk.turn()).json, "trace_id");
    const { json } = await post(`/api/context/traces/${kept}/reproduce`, { place });
    expect(json).toMatchObject({ ok: true, result: "EXACT", outcome: "READY" });
    expect(JSON.stringify(json)).not.toContain("Enterprise");
  });

  test("that nobody has is told apart from a place without traces", async () => {
    expect(await get("/api/context/traces/trace_nobody")).toMatchObject({
      status: 404,
      json: { error: { code: "unknown_trace" } },
    });
  });
});

test("providers are asked how they are when somebody wants to know, and one that is gone says so", async () => {
  expect((await post(`/api/context/places/${place}/providers/describe`, {})).json).toMatchObject({
    ok: true,
    providers: [{ provider: "customer-data", type: "http", ready: true }, {}, {}],
  });
  await desk.crm.stop();
  expect((await post(`/api/context/places/${place}/providers/describe`, {})).json).toMatchObject({
    ok: false,
    providers: [{ provider: "customer-data", ready: false, status: "UNAVAILABLE" }, { ready: true }, { ready: false }],
  });
  await desk.restartCrm([]);
});

function readBinding(): string {
  return readFileSync(join(desk.folder, "deployment", "context-binding.json"), "utf8");
}

async function runLines(path: string, body: object): Promise<readonly unknown[]> {
  const { text } = await post(`/api/context/places/${place}/${path}`, body);
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as unknown);
}

describe("a run", () => {
  test("of the tests tells how far it is, then what passed", async () => {
    const lines = await runLines("tests", {});
    expect(lines).toMatchObject([
      { kind: "progress", done: 4, total: 4 },
      { kind: "report", report: { verdict: "PASSED", counts: { total: 4, passed: 4 } } },
    ]);
  });

  test("of a failing test shows what was expected and what came, and a regression what the change did", async () => {
    const path = join(desk.folder, "project", "context.project.yaml");
    const before = readFileSync(path, "utf8");
    writeFileSync(
      path,
      before.replace("metadata: [plan]", "metadata: []").replace("contains: Enterprise plan", "contains: Gold plan"),
    );
    const tests = await runLines("tests", { filter: ["everything"] });
    expect(tests.at(-1)).toMatchObject({
      report: {
        verdict: "FAILED",
        tests: [
          { test: "everything-at-hand", failures: [{ expected: expect.stringContaining("Gold plan") as string }] },
        ],
      },
    });
    const compared = { baseline: "current", candidate: "working" };
    const regressed = await runLines("regressions", compared);
    expect(regressed.at(-1)).toMatchObject({
      report: {
        verdict: "CHANGED",
        tests: [
          { status: "CHANGED", layers: [{ layer: "customer-profile", text: { removed: ['plan: "Enterprise"', ""] } }] },
        ],
      },
    });
    writeFileSync(path, before);
  });

  test("that can't begin says why in its last line", async () => {
    const compared = { baseline: "../deployment", candidate: "working" };
    expect(await runLines("regressions", compared)).toMatchObject([
      { kind: "error", error: { code: "invalid_value", message: "baseline is no build in or beside the project" } },
    ]);
  });
});
