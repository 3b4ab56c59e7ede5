// Really inserts traces of turns into a store, and measures common searches each time it has grown tenfold.
import { toInstant } from "../packages/contracts/src/index.ts";
import { openPostgresPool, parsePostgresUrl } from "../packages/store/src/postgres.ts";
import {
  createTraceStore,
  listRequestDigests,
  parseTraceQuery,
  runTurn,
  TRACE_MIGRATIONS,
} from "../packages/runtime-context/src/index.ts";
import { openBenchDeployment, openBenchTraces } from "./context-world.mjs";

const [url, place, most] = process.argv.slice(2);
const BEGAN_MS = Date.parse("2026-01-01T00:00:00.000Z");
/** Between two turns: a million are 58 days. */
const STEP_MS = 5_000;
const CUSTOMERS = 20_000;
const SEARCHES = 25;

const clock = { nowMs: BEGAN_MS, now: () => toInstant(clock.nowMs), monotonicMs: () => 0 };
const outcomeOf = (status) => ({
  status,
  reason: null,
  items: [],
  itemCount: 0,
  durationMs: 3,
  observedAt: clock.now(),
  revision: null,
  currentness: "UNKNOWN",
  version: null,
  versionSource: null,
});
// One turn in a hundred finds its provider too slow.
let turn = 0;
const client = { lookup: async () => outcomeOf(turn % 100 === 0 ? "TIMEOUT" : "EMPTY"), circuit: "closed" };
const deployment = {
  ...(await openBenchDeployment(8080)),
  clients: new Map([
    ["customer-data", client],
    ["hostile-data", client],
  ]),
};
const recording = { ring: deployment.ring, writer: "bench", audit: "best_effort", now: clock.now };
const traces = url === "" ? await openBenchTraces(place, deployment.ring) : await openServerTraces();
const parts = { clock, newTraceId: () => `trace_${turn}`, traces, turnDeadlineMs: 10_000 };

for (const count of [10_000, 100_000, 1_000_000].filter((size) => size <= Number(most))) {
  const beganMs = performance.now();
  const before = turn;
  while (turn < count) await insertOne();
  await traces.flush();
  const { storedCount, lostCount, lastLossCode } = traces.status;
  if (storedCount !== count || lostCount !== 0)
    throw new Error(`${storedCount} stored, ${lostCount} lost: ${lastLossCode}`);
  const perSecond = (count - before) / ((performance.now() - beganMs) / 1_000);
  process.send({ count, perSecond, searches: await measureSearches() });
}
await traces.close();
process.send({ isOver: true });

async function insertOne() {
  turn += 1;
  clock.nowMs = BEGAN_MS + turn * STEP_MS;
  const isReport = turn % 1_000 === 0;
  const request = {
    objective: isReport ? "write-report" : "answer-ticket",
    consumer: "support-agent",
    profile: null,
    inputs: isReport ? {} : { customerId: `customer-${turn % CUSTOMERS}` },
  };
  const answer = await runTurn(deployment, request, parts);
  if (!answer.ok) throw new Error(answer.message);
  if (turn % 500 === 0) await traces.flush();
}

function search(raw) {
  return () => traces.search(parseTraceQuery(raw));
}

async function measureSearches() {
  const middle = BEGAN_MS + (turn / 2) * STEP_MS;
  const lookup = { provider: "customer-data", key: "customerId", value: "customer-77" };
  const byValue = { provider: "customer-data", limit: 50, requestDigests: listRequestDigests(deployment.ring, lookup) };
  const cases = {
    "the latest": search({}),
    "provider and status, 1 in 100": search({ provider: "customer-data", providerStatus: "TIMEOUT" }),
    "status of any provider": search({ providerStatus: "TIMEOUT" }),
    "a status that nothing has": search({ providerStatus: "SECRET_DETECTED" }),
    "objective, 1 in 1,000": search({ objective: "write-report" }),
    "outcome, 1 in 100": search({ outcome: "BLOCKED" }),
    "a layer": search({ layer: "customer" }),
    "the last hour": search({ since: toInstant(clock.nowMs - 3_600_000) }),
    "an hour in the middle": search({ since: toInstant(middle), until: toInstant(middle + 3_600_000) }),
    "a status in an hour in the middle": search({
      provider: "customer-data",
      providerStatus: "TIMEOUT",
      since: toInstant(middle),
      until: toInstant(middle + 3_600_000),
    }),
    "a provider in an hour in the middle": search({
      provider: "customer-data",
      since: toInstant(middle),
      until: toInstant(middle + 3_600_000),
    }),
    "a layer until the middle": search({ layer: "customer", until: toInstant(middle) }),
    "a page from the middle on": search({ provider: "customer-data", cursor: `before-${Math.floor(turn / 2)}` }),
    "a lookup value": () => traces.search(byValue),
    "one trace": () => traces.find(`trace_${Math.floor(turn / 2)}`),
  };
  const searches = {};
  for (const [name, work] of Object.entries(cases)) searches[name] = await measure(work);
  return searches;
}

async function measure(work) {
  await work();
  const times = [];
  for (let at = 0; at < SEARCHES; at += 1) {
    const beganMs = performance.now();
    await work();
    times.push(performance.now() - beganMs);
  }
  return times.toSorted((left, right) => left - right)[Math.floor(SEARCHES / 2)];
}

async function openServerTraces() {
  const database = await openPostgresPool({
    address: parsePostgresUrl(url, "url"),
    schema: "bench_traces",
    label: "the trace store",
    access: "write",
    migrations: TRACE_MIGRATIONS,
    create: true,
    now: clock.now,
  });
  return createTraceStore(database, recording);
}
