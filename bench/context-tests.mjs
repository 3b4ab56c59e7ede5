// A thousand Context Tests on fixtures of two providers, beside turns that need no provider, in CPU time of one process; and
// the same tests as a regression of two builds.
import { runRegression, runSuite, selectTests } from "../packages/runtime-context/src/offline.ts";
import { createBuild, runTurn } from "../packages/runtime-context/src/index.ts";
import { parseContextProject } from "../packages/runtime-context/src/project/parse-context-project.ts";
import { CLOCK, createMemoryTraces, openBenchDeployment } from "./context-world.mjs";
import { median } from "./context-numbers.mjs";

const TESTS = 1000;
const rounds = Number(process.argv[2]);

const project = await loadProject("Be brief.\n");
const tests = selectTests(project, []);
const [asking, planning] = [
  tests.filter(({ test }) => test.objective === "answer"),
  tests.filter(({ test }) => test.objective === "plan"),
];
const baseline = createBuild(project, new Map());
const candidate = createBuild(await loadProject("Be kind.\n"), new Map());
// Nothing is called there: the turns need no provider.
const deployment = await openBenchDeployment(9999);
const traces = createMemoryTraces();
let id = 0;

const [turnMs, testMs, planMs, regressMs] = await measureCpu(rounds, [
  runTurns,
  () => run(asking),
  () => run(planning),
  regress,
]);
process.send({
  testsPerSecond: (TESTS / testMs) * 1000,
  toTurn: testMs / turnMs,
  toPlainTest: testMs / planMs,
  turnUs: (turnMs / TESTS) * 1000,
  planUs: (planMs / TESTS) * 1000,
  regressMs,
});

async function run(placed) {
  const { verdict } = await runSuite(baseline, placed);
  if (verdict !== "PASSED") throw new Error(verdict);
}

async function regress() {
  const { counts } = await runRegression({ baseline, candidate, tests: asking, live: null });
  if (counts.CHANGED !== TESTS) throw new Error(JSON.stringify(counts));
}

/** As a server carries them out, traced; no value has a part in them. */
async function runTurns() {
  const request = { objective: "write-report", consumer: "support-agent", profile: null, inputs: {} };
  const parts = { clock: CLOCK, newTraceId: () => `trace_${(id += 1)}`, traces, turnDeadlineMs: 10_000 };
  for (let count = 0; count < TESTS; count += 1) {
    const { ok } = await runTurn(deployment, request, parts);
    if (!ok) throw new Error("refused");
  }
}

/** Medians of interleaved rounds, milliseconds of CPU: the first compiles and is not counted. */
async function measureCpu(count, cases) {
  const samples = cases.map(() => []);
  for (let round = -2; round < count; round += 1) {
    for (const [at, work] of cases.entries()) {
      const before = process.cpuUsage();
      await work();
      const { user, system } = process.cpuUsage(before);
      if (round >= 0) samples[at].push((user + system) / 1000);
    }
  }
  return samples.map(median);
}

function providerOf(provider, input) {
  return { id: provider, name: provider, lookup: { input, pattern: "[A-Z]+-[0-9]+" }, maxItems: 2 };
}

function layerOf(layer, provider) {
  return { id: layer, name: layer, objectives: ["answer"], bindings: [{ provider }] };
}

function loadProject(rules) {
  const document = {
    contract: "context-project.v1",
    id: "bench-tests",
    version: "1.0.0",
    objectives: [{ id: "answer" }, { id: "plan" }],
    consumers: [{ id: "agent" }],
    profiles: [
      {
        id: "desk",
        budget: { bytes: 16_384 },
        layers: ["rules", "customer", "orders"].map((layer) => ({
          layer,
          rule: layer === "orders" ? "optional" : "required",
        })),
      },
    ],
    layers: [
      { id: "rules", name: "Rules", bindings: [{ text: rules }] },
      layerOf("customer", "crm"),
      layerOf("orders", "shop"),
    ],
    providers: [providerOf("crm", "customerId"), providerOf("shop", "orderId")],
    tests: Array.from({ length: TESTS }, (_, at) => [
      testOf(at),
      { id: `plan-${at}`, objective: "plan", consumer: "agent", expect: [{ outcome: "READY" }] },
    ]).flat(),
  };
  return parseContextProject(JSON.stringify(document), { path: "context.project.json", format: "json" });
}

function testOf(at) {
  const isLate = at % 4 === 0;
  const customer = {
    id: `CUST-${at}`,
    content: `Customer ${at} is on the Enterprise plan.`,
    metadata: { plan: "Enterprise" },
  };
  return {
    id: `answer-${at}`,
    objective: "answer",
    consumer: "agent",
    inputs: { customerId: `CUST-${at}`, orderId: `ORD-${at}` },
    providers: {
      crm: { items: [customer] },
      shop: isLate ? { status: "TIMEOUT" } : { items: [{ id: `ORD-${at}`, content: "Two desk lamps, shipped." }] },
    },
    expect: [
      { outcome: isLate ? "DEGRADED" : "READY" },
      { layer: "customer", state: "AVAILABLE" },
      { contains: "Enterprise plan" },
    ],
  };
}
