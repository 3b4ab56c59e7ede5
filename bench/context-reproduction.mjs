// Reproducing recorded turns beside carrying out one that asks nobody. Both in this process, without a socket.
import { join } from "node:path";
import { reproduceTurn, runTurn } from "../packages/runtime-context/src/index.ts";
import { measureRounds } from "./context-numbers.mjs";
import { CLOCK, createBenchApi, createMemoryTraces, openBenchDeployment, openBenchTraces } from "./context-world.mjs";

const TIMES = 300;
const [port, rounds, place] = process.argv.slice(2);
const deployment = await openBenchDeployment(port, { retention: "content" });
const traces = await openBenchTraces(join(place, "reproduction.db"), deployment.ring);
const base = { consumer: "support-agent", profile: "support" };
const unasked = { ...base, objective: "write-report", inputs: {} };

const recordTurn = async (request, id) => {
  const parts = { clock: CLOCK, newTraceId: () => id, traces, turnDeadlineMs: 10_000 };
  const { result } = await runTurn(deployment, request, parts);
  return result.outcome;
};
const outcomes = [
  await recordTurn(unasked, "trace_none"),
  await recordTurn({ ...base, objective: "answer-ticket", inputs: { customerId: "small" } }, "trace_small"),
  await recordTurn({ ...base, objective: "answer-ticket", inputs: { customerId: "large" } }, "trace_large"),
];
await traces.flush();

const { binding, ring, build } = deployment;
const findBuild = async () => build;
const reproduce = async (id) => {
  const { verdict } = await reproduceTurn(await traces.findRecorded(id), {
    binding,
    ring,
    now: CLOCK.now(),
    findBuild,
  });
  if (verdict !== "EXACT") throw new Error(`${id} is ${verdict}`);
};
const repeat = async (work) => {
  for (let at = 0; at < TIMES; at += 1) await work();
};
const api = createBenchApi(deployment, createMemoryTraces());
const stored = createBenchApi({ ...deployment, binding: { ...binding, audit: "required" } }, traces);
const body = JSON.stringify(unasked);
const post = async (to) => {
  const headers = { "content-type": "application/json", "content-length": String(body.length) };
  const answer = await to.fetch(new Request("http://127.0.0.1/v1/turns", { method: "POST", headers, body }));
  if (answer.status !== 200) throw new Error(await answer.text());
  await answer.text();
};

const [turn, durable, none, small, large] = await measureRounds(Number(rounds), [
  () => repeat(() => post(api)),
  () => repeat(() => post(stored)),
  () => repeat(() => reproduce("trace_none")),
  () => repeat(() => reproduce("trace_small")),
  () => repeat(() => reproduce("trace_large")),
]);
process.send({ turnMs: turn / TIMES, durableMs: durable / TIMES, none, small, large, turn, durable, outcomes });
