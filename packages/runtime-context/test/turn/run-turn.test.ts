import { toCanonicalJson } from "@loopx/contracts";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { createFence } from "../../src/rendering/fence.ts";
import { decideTurn } from "../../src/kernel/decide-turn.ts";
import type { ProviderClient, ProviderOutcome } from "../../src/providers/provider-outcome.ts";
import { toTraceSafe, type TraceSafe } from "../../src/trace/trace-safe.ts";
import type { TraceStore } from "../../src/trace/trace-store.ts";
import type { Deployment } from "../../src/turn/deployment.ts";
import { runTurn, type TurnAnswer } from "../../src/turn/run-turn.ts";
import { renderTurnPacket, toTurnPacket } from "../../src/turn/turn-packet.ts";
import { outcome as randomOutcome, PROVIDER_IDS, randomTurn, type RandomTurn } from "../kernel/random-turn.ts";
import {
  createBuild,
  createLayer,
  createRequest,
  createRule,
  NOW,
  planOrThrow,
  toResults,
} from "../kernel/support-desk.ts";
import { BINDING, createRing } from "../trace/sample-trace.ts";

const RING = createRing();

function toClient(outcome: ProviderOutcome): ProviderClient {
  return {
    lookup: async () => outcome,
    circuit: "closed",
    describe: async () => ({ isReady: true, status: "OK", reason: null, version: null, observedAt: NOW }),
    close: async () => undefined,
  };
}

function deploy({ build, outcomes }: Pick<RandomTurn, "build" | "outcomes">): Deployment {
  const clients = new Map(Object.entries(outcomes).map(([id, outcome]) => [id, toClient(outcome)]));
  return { build, binding: BINDING, ring: RING, clients, close: async () => undefined };
}

interface CarriedOut {
  readonly answer: TurnAnswer;
  readonly json: string;
}

async function carryOut(deployment: Deployment, request: RandomTurn["request"], id: string): Promise<CarriedOut> {
  const kept: string[] = [];
  const traces: Pick<TraceStore, "status" | "record"> = {
    status: { storedCount: 0, pendingCount: 0, lostCount: 0, lastLossCode: null },
    record: async ({ json }: TraceSafe) => void kept.push(json),
  };
  const parts = {
    clock: { now: () => NOW, monotonicMs: () => 0 },
    newTraceId: () => id,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a turn uses these two members alone
    traces: traces as TraceStore,
    turnDeadlineMs: 1000,
  };
  const answer = await runTurn(deployment, request, parts);
  if (!answer.ok) throw new Error(answer.message);
  return { answer, json: kept[0] ?? "" };
}

test("a turn that was settled before has the bytes of one that is made anew", async () => {
  await fc.assert(
    fc.asyncProperty(randomTurn, async (turn) => {
      const { build, request, outcomes } = turn;
      const deployment = deploy(turn);
      for (const id of ["trace_first", "trace_again"]) {
        const plan = planOrThrow(build, request);
        const results = toResults(plan, outcomes);
        const result = decideTurn(plan, results, { build, now: NOW, fence: createFence(RING, id) });
        const record = { id, at: NOW, durationMs: 0, build, binding: BINDING, plan, results, result };
        const safe = toTraceSafe(record, RING);
        const { answer, json } = await carryOut(deployment, request, id);
        expect(json).toBe(toCanonicalJson(safe.trace));
        expect(answer.trace).toEqual(safe.trace);
        const packet = toTurnPacket({ result, trace: safe.trace, isTraced: true, ignoredInputs: answer.ignoredInputs });
        expect(Buffer.from(renderTurnPacket(answer)).toString()).toBe(JSON.stringify(packet));
      }
    }),
    { numRuns: 300 },
  );
});

test("a turn has the same bytes after others of its build, blocked or not, as with a build of its own", async () => {
  const answers = fc.dictionary(fc.constantFrom(...PROVIDER_IDS), randomOutcome);
  await fc.assert(
    fc.asyncProperty(randomTurn, fc.array(answers, { minLength: 1, maxLength: 3 }), async (turn, others) => {
      const { build, request } = turn;
      for (const outcomes of [...others.map((other) => ({ ...turn.outcomes, ...other })), turn.outcomes]) {
        const shared = await carryOut(deploy({ build, outcomes }), request, "trace_1");
        const alone = await carryOut(deploy({ build: structuredClone(build), outcomes }), request, "trace_1");
        expect(shared.json).toBe(alone.json);
        expect(renderTurnPacket(shared.answer)).toEqual(renderTurnPacket(alone.answer));
      }
    }),
    { numRuns: 200 },
  );
});

const LAYERS = ["policy", "notes"].map((id) =>
  createLayer({ id, ...(id === "notes" ? { requiresInput: ["region"] } : {}) }),
);
const BUILD = createBuild({ layers: LAYERS, rules: LAYERS.map(({ id }) => createRule({ layer: id })) });

test("requests are settled by the inputs they give, whatever their values, and apart by those they leave out", async () => {
  const deployment = deploy({ build: BUILD, outcomes: {} });
  const ask = async (inputs: Record<string, string>) => (await carryOut(deployment, createRequest(inputs), "t")).answer;
  const first = await ask({ region: "north", stray: "x" });
  const second = await ask({ region: "south" });
  expect([first.settled, second.settled?.result]).toEqual([null, first.result]);
  expect(JSON.stringify(second.settled)).not.toMatch(/north|south|stray/);
  const without = await ask({});
  expect([without.settled, without.result.outcome, without.trace.inputs]).toEqual([null, "DEGRADED", []]);
  const empty = await ask({ region: "" });
  expect([empty.settled?.result, empty.trace.inputs]).toEqual([without.result, []]);
});

test("a text of any length and script is sent with the bytes of its JSON", async () => {
  const layer = createLayer({ id: "customer", bindings: [{ kind: "provider", provider: "customer-data" }] });
  const build = createBuild({ layers: [layer], rules: [createRule({ layer: "customer" })], bytes: 1_000_000 });
  const item = { id: "CUST-1042", title: null, metadata: {}, updatedAt: null };
  for (const piece of ["plain ", '\\ "a"\n\t', '"\\\n\u0007', "客户续约 ", "👩 "]) {
    const answered: ProviderOutcome = {
      status: "OK",
      reason: null,
      items: [{ ...item, content: piece.repeat(5000) }],
      currentness: "CURRENT",
      revision: null,
      version: null,
      versionSource: null,
      providerType: "http",
      observedAt: NOW,
      durationMs: 1,
      attempts: 1,
    };
    const deployment = deploy({ build, outcomes: { "customer-data": answered } });
    const { answer } = await carryOut(deployment, createRequest({ customerId: "CUST-1042" }), "trace_long");
    expect(Buffer.from(renderTurnPacket(answer)).toString()).toBe(JSON.stringify(toTurnPacket(answer)));
    expect(answer.result.renderedParts.map(({ text }) => text).join("")).toBe(answer.result.rendered);
    expect(answer.result.budget.used).toBe(Buffer.byteLength(answer.result.rendered));
  }
});

test("an input that nobody asks for is told of, and changes nothing else", async () => {
  const deployment = deploy({ build: BUILD, outcomes: {} });
  const plain = await carryOut(deployment, createRequest({ region: "north" }), "trace_1");
  for (let count = 0; count < 2; count += 1) {
    const { answer, json } = await carryOut(
      deployment,
      createRequest({ region: "north", regon: "x", zip: "y" }),
      "trace_1",
    );
    expect(answer.ignoredInputs).toEqual([
      { input: "regon", says: 'no layer or provider asks for the input "regon" (did you mean "region"?)' },
      {
        input: "zip",
        says: 'no layer or provider asks for the input "zip"; the build takes customerId, orderId, region',
      },
    ]);
    expect(JSON.parse(String(renderTurnPacket(answer)))).toMatchObject({ ignored_inputs: answer.ignoredInputs });
    expect([answer.result, json]).toEqual([plain.answer.result, plain.json]);
  }
  expect(String(renderTurnPacket(plain.answer))).not.toContain("ignored_inputs");
});

test("why a layer isn't selected is said only of layers that were asked for", async () => {
  const layers = [createLayer({ id: "policy" }), createLayer({ id: "reports", objectives: ["write-report"] })];
  const build = createBuild({ layers, rules: layers.map(({ id }) => createRule({ layer: id })), bytes: 10 });
  const { answer } = await carryOut(deploy({ build, outcomes: {} }), createRequest({}), "trace_1");
  expect(toTurnPacket(answer)).toMatchObject({
    layers: [
      { layer: "policy", state: "AVAILABLE", not_selected_because: "BUDGET" },
      { layer: "reports", rule: "optional", state: "NOT_REQUESTED", selected: false, bytes: 0 },
    ],
  });
  expect(JSON.stringify(toTurnPacket(answer))).not.toContain("NOT_AVAILABLE");
});
