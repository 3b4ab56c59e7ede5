import type { ContextBuild } from "../build/context-build.ts";
import { indexBuild } from "../kernel/build-index.ts";
import type { TurnPlan, TurnRequest } from "../kernel/turn-plan.ts";
import type { TurnResult } from "../kernel/turn-result.ts";
import { toTraceTemplate, type TraceSafe, type TraceTemplate } from "../trace/trace-safe.ts";
import type { Deployment } from "./deployment.ts";
import { toPacketTemplate, type PacketTemplate } from "./turn-packet.ts";

/**
 * A turn in which no value has a part: no provider is asked, and none would have been. Build, scope and the names of the
 * given inputs decide all of it but id and times. Holds nothing of the request that it was first made for but those names.
 */
export interface SettledTurn {
  readonly result: TurnResult;
  readonly trace: TraceTemplate;
  readonly packet: PacketTemplate;
}

/** Whoever leaves out inputs in ever new ways must not fill the memory. The oldest goes first. */
const MOST_KEPT = 64;
const LONGEST_KEPT = 65_536;

/** A deployment is replaced whole, and what it settled goes with it. */
const settledTurns = new WeakMap<Deployment, Map<string, SettledTurn>>();

/** The turn as it was settled before, or undefined. */
export function findSettledTurn(deployment: Deployment, request: TurnRequest): SettledTurn | undefined {
  return settledTurns.get(deployment)?.get(toSettledKey(deployment.build, request));
}

/** Keeps what came of a plan, if equal requests must come to the same. */
export function settleTurn(deployment: Deployment, plan: TurnPlan, result: TurnResult, { trace }: TraceSafe): void {
  if (!isSettled(plan) || result.rendered.length > LONGEST_KEPT) return;
  const kept = settledTurns.get(deployment) ?? new Map<string, SettledTurn>();
  settledTurns.set(deployment, kept);
  const [oldest] = kept.keys();
  if (kept.size >= MOST_KEPT && oldest !== undefined) kept.delete(oldest);
  const turn = { result, trace: toTraceTemplate(trace), packet: toPacketTemplate({ result, trace }) };
  kept.set(toSettledKey(deployment.build, plan.request), turn);
}

/** Whether a value was refused, or asked for, depends on the value. */
function isSettled({ lookups, layers }: TurnPlan): boolean {
  return lookups.length === 0 && layers.every(({ kind }) => kind !== "invalid_request");
}

/**
 * Ids and names hold no line feed, so no two requests that differ share a key. An input without a character counts as not
 * given.
 */
function toSettledKey(build: ContextBuild, { profile, objective, consumer, inputs }: TurnRequest): string {
  const declared = indexBuild(build).inputs;
  let key = `${profile ?? ""}\n${objective}\n${consumer}`;
  for (const name of Object.keys(inputs)) {
    if (declared.has(name) && inputs[name] !== "") key += `\n${name}`;
  }
  return key;
}
