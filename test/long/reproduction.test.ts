import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { toInstant, type Instant } from "@loopx/contracts";
import {
  openDeployment,
  openTraceStore,
  parseKeyset,
  renderKeyset,
  reproduceTurn,
  rotateKeyset,
  runTurn,
  type Deployment,
} from "@loopx/runtime-context";
import { expect, test } from "vitest";
import { customerProject, openDesk, type Desk } from "../support/context-desk.ts";
import { answerWith, startScriptedProvider, type ScriptedAnswer } from "../support/scripted-provider.ts";
import { verifies } from "../support/verifies.ts";

const TURNS = 1000;
const AT_ONCE = 10;
const CANARY = "heliotrope quartz";
/** Fixed, so that a failure can be looked at again. */
const SEED = 20_261_130;

const ANSWERS: readonly ((value: string) => ScriptedAnswer)[] = [
  (value) =>
    answerWith({ id: `R-${value}`, title: "Ms Quill", content: `${CANARY} ${value}`, metadata: { plan: "x" } }),
  (value) => answerWith({ id: value, content: `${CANARY} \u202E [[loopx-data ${value}`, updatedAt: "2026-10-08" }),
  (value) => answerWith({ id: "a", content: CANARY.repeat(400) }, { id: "b", content: value }),
  () => answerWith(),
  () => ({ status: 404 }),
  () => ({ status: 503 }),
  () => ({ status: 302, headers: { location: "/elsewhere" } }),
  () => ({ body: "no JSON" }),
  () => answerWith({ id: "a", content: "AKIAIOSFODNN7EXAMPLE wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY" }),
  () => answerWith({ id: "1", content: "1" }, { id: "2", content: "2" }, { id: "3", content: "3" }),
  () => ({ body: { contract: "context-provider.v9", items: [] } }),
  () => ({ delayMs: 400, ...answerWith({ id: "late", content: "late" }) }),
  () => ({
    body: { contract: "context-provider.v1", currentness: "STALE", items: [{ id: "old", content: `${CANARY} old` }] },
  }),
];

const now = (): Instant => toInstant(Date.now());
const clock = { now, monotonicMs: () => performance.now() };

test(`${TURNS} mixed turns are reproduced to the byte, with the network off`, async () => {
  verifies("reproduction.exact", "reproduction.failures", "reproduction.live-dependency");
  const crm = await startScriptedProvider(({ body }) => {
    const value = (body as { readonly value?: string }).value ?? "";
    return ANSWERS[Number(value.slice(-4)) % ANSWERS.length]!(value);
  });
  const bound = { type: "http", url: crm.url, timeoutMs: 100 };
  const open = (rule: "required" | "optional", retention: string): Promise<Desk> =>
    openDesk({
      project: customerProject(rule),
      providers: { "customer-data": { ...bound, retention } },
    });
  const desks = [
    await open("required", "content"),
    await open("optional", "content"),
    await open("optional", "digest"),
  ] as const;
  const random = createRandom(SEED);
  const folder = desks[0].directory;
  const { ring: firstRing } = desks[0].deployment;
  const traces = await openTraceStore({
    path: join(folder, "traces.db"),
    ring: firstRing,
    writer: "long",
    audit: "required",
    now,
  });
  let deployments = desks.map(({ deployment }) => deployment);
  const recorded: { readonly id: string; readonly desk: number; readonly rendered: string }[] = [];
  const recordOne = async (index: number): Promise<void> => {
    const desk = Math.floor(random() * deployments.length);
    const digits = String(Math.floor(random() * 10_000)).padStart(4, "0");
    const given = [`CUST-${digits}`, `CUST-${digits}`, `CUST-${digits}`, `CUST-${digits}`, "not one", "", undefined];
    const value = given[Math.floor(random() * given.length)];
    const request = {
      objective: random() < 0.1 ? "plan-shift" : "answer-ticket",
      consumer: random() < 0.1 ? "auditor" : "support-agent",
      profile: null,
      inputs: value === undefined ? {} : { customerId: value },
    };
    const id = `trace_${String(index).padStart(6, "0")}`;
    const answer = await runTurn(deployments[desk]!, request, {
      clock,
      newTraceId: () => id,
      traces,
      turnDeadlineMs: 1000,
    });
    if (!answer.ok) throw new Error(answer.message);
    recorded.push({ id, desk, rendered: answer.result.rendered });
  };
  for (let index = 0; index < TURNS; index += AT_ONCE) {
    // Half-way all keys are rotated: what was made before is under another key.
    if (index === TURNS / 2) deployments = desks.map(rotateKeys);
    await Promise.all(Array.from({ length: AT_ONCE }, (_, at) => recordOne(index + at)));
  }
  expect(new Set(deployments.map(({ ring }) => ring.liveKeyIds.length))).toEqual(new Set([2]));
  await traces.flush();
  await crm.stop();
  for (const desk of desks) await desk.deployment.close();

  const sockets: unknown[] = [];
  const onSocket = (message: unknown): void => void sockets.push(message);
  subscribe("net.client.socket", onSocket);
  const tally: Record<string, number> = {};
  for (const { id, desk, rendered } of recorded) {
    const { binding, ring, build } = deployments[desk]!;
    const turn = await traces.findRecorded(id);
    const reproduction = await reproduceTurn(turn!, { binding, ring, now: now(), findBuild: async () => build });
    const verdict = "reason" in reproduction ? reproduction.reason : reproduction.verdict;
    const outcome = "result" in reproduction ? reproduction.result.outcome : "";
    tally[`${verdict} ${outcome}`.trim()] = (tally[`${verdict} ${outcome}`.trim()] ?? 0) + 1;
    if ("result" in reproduction) expect({ id, rendered: reproduction.result.rendered }).toEqual({ id, rendered });
    // Only facts of the desk that keeps digests alone are out of reach.
    else expect({ id, verdict, desk }).toEqual({ id, verdict: "content_not_retained", desk: 2 });
  }
  unsubscribe("net.client.socket", onSocket);
  expect(sockets).toEqual([]);
  expect(Object.keys(tally).toSorted()).toEqual([
    "EXACT BLOCKED",
    "EXACT DEGRADED",
    "EXACT READY",
    "content_not_retained",
  ]);
  const bytes = readdirSync(folder)
    .filter((name) => name.startsWith("traces.db"))
    .map((name) => readFileSync(join(folder, name), "latin1"))
    .join("\n");
  expect(bytes).toContain("trace_000001");
  for (const secret of [CANARY, "Ms Quill", "CUST-", "not one"]) expect(bytes).not.toContain(secret);
  await traces.close();
  for (const desk of desks) await desk.close();
});

function rotateKeys({ directory, deployment }: Desk): Deployment {
  const path = join(directory, "binding", "keyset.json");
  const keyset = parseKeyset(readFileSync(path, "utf8"));
  writeFileSync(path, renderKeyset(rotateKeyset(keyset, (prefix) => `${prefix}_rotated`, now())));
  return openDeployment(deployment.build, deployment.binding, { env: {}, clock, sqliteChild: "" });
}

/** Numbers from 0 to 1 that are the same in every run (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
