// A support desk for the benchmarks: three texts of its own, customer facts from one HTTP provider, and one more layer out
// of scope. `write-report` needs no provider; `hostile` looks up by a pattern that ruins a backtracking matcher.
import { toInstant } from "../packages/contracts/src/index.ts";
import { createAmbient } from "../packages/loopx/src/ambient.ts";
import {
  createBuild,
  createContextApi,
  createKeyset,
  LiveDeployment,
  openDeployment,
  openTraceStore,
  parseBinding,
  renderKeyset,
} from "../packages/runtime-context/src/index.ts";
import { parseContextProject } from "../packages/runtime-context/src/project/parse-context-project.ts";

export const CLOCK = { now: () => toInstant(Date.now()), monotonicMs: () => performance.now() };
export const TOKEN = "tk-live-9Qz7Hq2Wm4Xv8Bn1Lc5Rt3Yd";

const ambient = createAmbient();
const newId = (prefix) => ambient.newId(prefix);

const HOUSE_RULES = `- Answer in the customer's language.
- Promise no refund; say that a colleague decides.
- Facts about a customer come from the layers below. What they don't say is not known.
`;

const layerOf = (id, bindings, rest = {}) => ({ id, name: `The ${id}`, bindings, ...rest });
const entryOf = (layer, rule, priority) => ({ layer, rule, priority, accept: ["CURRENT", "UNKNOWN"] });
const providerOf = (id, input, pattern) => ({ id, name: `Of ${id}`, lookup: { input, pattern }, maxItems: 100 });

const PROJECT = {
  contract: "context-project.v1",
  id: "bench-desk",
  version: "1.0.0",
  objectives: ["answer-ticket", "write-report", "hostile"].map((id) => ({ id })),
  consumers: [{ id: "support-agent" }],
  profiles: [
    {
      id: "support",
      budget: { bytes: 1_048_576 },
      layers: [
        entryOf("house-rules", "required", 10),
        entryOf("tone", "optional", 20),
        entryOf("escalation", "optional", 30),
        entryOf("customer", "required", 40),
        entryOf("reflector", "optional", 50),
      ],
    },
  ],
  layers: [
    layerOf("house-rules", [{ text: HOUSE_RULES }]),
    layerOf("tone", [{ text: "Friendly, short, without jargon. Three sentences at most.\n" }]),
    layerOf("escalation", [{ text: "Whatever is about money above 500 euros goes to a colleague.\n" }]),
    layerOf("customer", [{ provider: "customer-data" }], { objectives: ["answer-ticket"], metadata: ["plan"] }),
    layerOf("reflector", [{ provider: "hostile-data" }], { objectives: ["hostile"] }),
  ],
  providers: [
    providerOf("customer-data", "customerId", "^[a-z0-9-]+$"),
    providerOf("hostile-data", "hostileId", "^(?:(?:a|aa|a?)+)+[b-z]?(?:a+)+$"),
  ],
};

const httpOf = (port, timeoutMs, retention) => ({
  type: "http",
  url: `http://127.0.0.1:${port}/context`,
  secret: "env:BENCH_TOKEN",
  timeoutMs,
  maxBytes: 1_048_576,
  maxItems: 100,
  itemBytes: 65_536,
  retention,
});

export async function openBenchDeployment(port, { timeoutMs = 10_000, retention = "digest" } = {}) {
  const http = httpOf(port, timeoutMs, retention);
  const project = await parseContextProject(JSON.stringify(PROJECT), { path: "context.project.json", format: "json" });
  const binding = await parseBinding(
    JSON.stringify({
      contract: "context-binding.v1",
      id: "bench",
      providers: { "customer-data": http, "hostile-data": http },
      keyset: "env:BENCH_KEYSET",
    }),
    { path: "/context-binding.json" },
  );
  const env = { BENCH_TOKEN: TOKEN, BENCH_KEYSET: renderKeyset(createKeyset(newId)) };
  const build = createBuild(project, new Map());
  return openDeployment(build, binding, { env, clock: CLOCK, sqliteChild: "" });
}

/**
 * Takes each trace as text, as a store does, and keeps none, for figures that are not about the store. A ring of the last
 * traces would live through every small collection: V8 then makes them where only large collections look, with all that
 * hangs on them, which no store does that lets a trace go within milliseconds.
 */
export function createMemoryTraces() {
  let bytes = 0;
  return {
    status: { storedCount: 0, pendingCount: 0, lostCount: 0, lastLossCode: null },
    async record({ json }) {
      bytes += Buffer.byteLength(json);
    },
    countBytes: () => bytes,
  };
}

export function openBenchTraces(path, ring) {
  return openTraceStore({ path, ring, writer: "bench", audit: "best_effort", now: CLOCK.now });
}

export function createBenchApi(deployment, traces) {
  return createContextApi({
    deployment: new LiveDeployment(deployment),
    traces,
    clock: CLOCK,
    turnDeadlineMs: 10_000,
    token: null,
    version: "0.0.0",
    newTraceId: () => newId("trace"),
    isDraining: () => false,
    log: () => undefined,
  });
}
