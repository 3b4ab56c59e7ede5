import { setImmediate } from "node:timers/promises";
import type { Refusal } from "@loopx/contracts";
import { decideTurn } from "../kernel/decide-turn.ts";
import { listIgnoredInputs, type IgnoredInput } from "../kernel/ignored-inputs.ts";
import { planTurn } from "../kernel/plan-turn.ts";
import type { TurnRequest } from "../kernel/turn-plan.ts";
import type { TurnResult } from "../kernel/turn-result.ts";
import { callProviders } from "../providers/call-providers.ts";
import type { ProviderClock } from "../providers/provider-clock.ts";
import type { ProviderOutcome } from "../providers/provider-outcome.ts";
import { createFence } from "../rendering/fence.ts";
import type { ContextTrace } from "../trace/context-trace.ts";
import { retainAnswers, type RetainedContent } from "../trace/retain-content.ts";
import { fillTraceTemplate, toTraceSafe, type TraceSafe } from "../trace/trace-safe.ts";
import { listProvenance } from "../trace/trace-provenance.ts";
import type { TraceStore } from "../trace/trace-store.ts";
import type { Deployment } from "./deployment.ts";
import { findSettledTurn, settleTurn, type SettledTurn } from "./settled-turns.ts";

export interface TurnParts {
  readonly clock: ProviderClock;
  /** `trace_` and random characters. */
  newTraceId(): string;
  /** Null keeps no trace: the answer says so. */
  readonly traces: TraceStore | null;
  /** Bound on all lookups of the turn together. */
  readonly turnDeadlineMs: number;
}

/** A turn that was carried out, whatever its outcome. */
export interface TurnAnswer {
  readonly ok: true;
  readonly result: TurnResult;
  readonly trace: ContextTrace;
  /** False where no store is kept or, without `audit: required`, the trace was already lost when the answer was made. */
  readonly isTraced: boolean;
  /** Given inputs that had no part in it. */
  readonly ignoredInputs: readonly IgnoredInput[];
  /** Its packet is the same in all but two members; null of a turn that values had a part in. */
  readonly settled: SettledTurn | null;
}

/**
 * Carries out one turn: plans it, calls the providers that the rules allow, decides, and records the trace.
 *
 * READY, DEGRADED and BLOCKED are answers alike. Refuses with `invalid_value` a request that the build does not know;
 * rejects only when the deployment demands an audit and the trace could not be written.
 */
export async function runTurn(
  deployment: Deployment,
  request: TurnRequest,
  parts: TurnParts,
): Promise<TurnAnswer | Refusal> {
  const { clock, traces } = parts;
  const ignoredInputs = listIgnoredInputs(deployment.build, request);
  const settled = ignoredInputs.length === 0 ? findSettledTurn(deployment, request) : undefined;
  if (settled !== undefined) return answerSettled(settled, deployment, parts);
  const plan = planTurn(deployment.build, request);
  if ("ok" in plan) return plan;
  const at = clock.now();
  const beganMs = clock.monotonicMs();
  const id = parts.newTraceId();
  const results = await callProviders(plan.lookups, deployment.clients, {
    turnDeadlineMs: parts.turnDeadlineMs,
    clock,
  });
  const isLarge = countCharacters(results) > CHARACTERS_A_TURN;
  if (isLarge) await setImmediate();
  const fence = createFence(deployment.ring, id);
  const result = decideTurn(plan, results, { build: deployment.build, now: at, fence });
  if (isLarge) await setImmediate();
  const { build, binding, ring } = deployment;
  const durationMs = clock.monotonicMs() - beganMs;
  const sources = { plan, results, binding, ring };
  const provenance = listProvenance(sources);
  if (isLarge) await setImmediate();
  // Without a store nothing is kept, and the trace says so.
  const { providers, contents } =
    traces === null ? { providers: provenance, contents: [] } : retainAnswers(provenance, sources, { id, at });
  if (isLarge && contents.length > 0) await setImmediate();
  const safe = toTraceSafe({ id, at, durationMs, build, binding, plan, results, result }, ring, providers);
  settleTurn(deployment, plan, result, safe);
  if (isLarge) await setImmediate();
  const isTraced = await recordTrace({ trace: safe, contents }, deployment, traces);
  return { ok: true, result, trace: safe.trace, isTraced, ignoredInputs, settled: null };
}

async function answerSettled(settled: SettledTurn, deployment: Deployment, parts: TurnParts): Promise<TurnAnswer> {
  const safe = fillTraceTemplate(settled.trace, { id: parts.newTraceId(), at: parts.clock.now(), durationMs: 0 });
  const isTraced = await recordTrace({ trace: safe, contents: [] }, deployment, parts.traces);
  return { ok: true, result: settled.result, trace: safe.trace, isTraced, ignoredInputs: [], settled };
}

/** With the keys and as the audit asks of the deployment that the turn began on: another may serve by now. */
async function recordTrace(
  { trace, contents }: { readonly trace: TraceSafe; readonly contents: readonly RetainedContent[] },
  { ring, binding }: Deployment,
  traces: TraceStore | null,
): Promise<boolean> {
  if (traces === null) return false;
  const lostBefore = traces.status.lostCount;
  await traces.record(trace, { ring, audit: binding.audit }, contents);
  return traces.status.lostCount === lostBefore;
}

/** Deciding, tracing and answering with 1 MiB of facts take milliseconds each: other turns are let in between them. */
const CHARACTERS_A_TURN = 131_072;

function countCharacters(results: ReadonlyMap<string, ProviderOutcome>): number {
  let count = 0;
  for (const { items } of results.values()) for (const { content } of items) count += content.length;
  return count;
}
