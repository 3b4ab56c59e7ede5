import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fromRefusal, type Instant } from "@loopx/contracts";
import type { DeploymentBinding, RetentionRule } from "../../src/binding/deployment-binding.ts";
import type { ContextBuild } from "../../src/build/context-build.ts";
import type { TurnRequest } from "../../src/kernel/turn-plan.ts";
import type { KeyRing } from "../../src/keys/key-ring.ts";
import type { ProviderClient, ProviderOutcome } from "../../src/providers/provider-outcome.ts";
import { reproduceTurn, type ReproductionParts } from "../../src/reproduction/reproduce-turn.ts";
import type { Reproduction } from "../../src/reproduction/reproduction.ts";
import { openTraceStore, type TraceStore } from "../../src/trace/trace-store.ts";
import { runTurn, type TurnAnswer } from "../../src/turn/run-turn.ts";
import { BINDING, createRing } from "../trace/sample-trace.ts";

export const BEGIN = Date.parse("2026-11-30T12:00:00.000Z");

/** Turns whose providers answer as told, recorded in a real store. */
export interface RecordingDesk {
  readonly path: string;
  readonly store: TraceStore;
  readonly binding: DeploymentBinding;
  /** What the clock says, in milliseconds; a second passes with each turn. */
  readonly clock: { nowMs: number };
  turn(turn: RecordedCase): Promise<TurnAnswer>;
  reproduce(turn: TurnAnswer, build: ContextBuild, parts?: Partial<ReproductionParts>): Promise<Reproduction>;
  /** Every byte that the store has on disk, its log included. */
  readFiles(): string;
  close(): Promise<void>;
}

export interface RecordedCase {
  readonly build: ContextBuild;
  readonly request: TurnRequest;
  readonly outcomes: Readonly<Record<string, ProviderOutcome>>;
  readonly ring?: KeyRing;
}

const ENTRY = BINDING.providers["customer-data"]!;

export async function openRecordingDesk(
  providerIds: readonly string[],
  rule: RetentionRule = { retention: "content", retainSeconds: 3600, retainBytes: 2 ** 30 },
): Promise<RecordingDesk> {
  const directory = mkdtempSync(join(tmpdir(), "loopx-reproduction-"));
  const path = join(directory, "traces.db");
  const clock = { nowMs: BEGIN };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a brand has to be given somewhere
  const now = (): Instant => new Date(clock.nowMs).toISOString() as Instant;
  const store = await openTraceStore({ path, ring: createRing(), writer: "desk", audit: "required", now });
  const providers = Object.fromEntries(providerIds.map((id) => [id, { ...ENTRY, maxItems: 100, ...rule }]));
  const binding: DeploymentBinding = { ...BINDING, audit: "required", providers };
  let count = 0;
  return {
    path,
    store,
    binding,
    clock,
    turn: async ({ build, request, outcomes, ring = createRing() }) => {
      const clients = new Map(Object.entries(outcomes).map(([id, outcome]) => [id, toClient(outcome)]));
      const deployment = { build, binding, ring, clients, close: async () => undefined };
      clock.nowMs += 1000;
      const parts = { clock: { now, monotonicMs: () => 0 }, traces: store, turnDeadlineMs: 1000 };
      const answer = await runTurn(deployment, request, { ...parts, newTraceId: () => `trace_${(count += 1)}` });
      if (!answer.ok) throw fromRefusal(answer);
      return answer;
    },
    reproduce: async ({ trace }, build, parts = {}) => {
      const recorded = await store.findRecorded(trace.id);
      if (recorded === undefined) throw new Error(`no trace ${trace.id}`);
      return reproduceTurn(recorded, {
        binding,
        ring: createRing(),
        now: now(),
        findBuild: async () => build,
        ...parts,
      });
    },
    readFiles: () =>
      readdirSync(directory)
        .map((name) => readFileSync(join(directory, name), "latin1"))
        .join("\n"),
    close: async () => {
      await store.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

function toClient(outcome: ProviderOutcome): ProviderClient {
  return {
    lookup: async () => outcome,
    circuit: "closed",
    describe: async () => ({
      isReady: true,
      status: "OK",
      reason: null,
      version: null,
      observedAt: outcome.observedAt,
    }),
    close: async () => undefined,
  };
}
