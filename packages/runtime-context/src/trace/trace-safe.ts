import { toCanonicalJson, type Instant } from "@loopx/contracts";
import type { DeploymentBinding } from "../binding/deployment-binding.ts";
import type { ContextBuild } from "../build/context-build.ts";
import type { KeyRing } from "../keys/key-ring.ts";
import type { TurnPlan } from "../kernel/turn-plan.ts";
import type { LayerResult, SelectionRecord, TurnResult, UnknownFact } from "../kernel/turn-result.ts";
import type { ProviderOutcome } from "../providers/provider-outcome.ts";
import { TRACE_CONTRACT, type ContextTrace, type TracedFact } from "./context-trace.ts";
import { listProvenance, toWholeMs } from "./trace-provenance.ts";

declare const SAFE: unique symbol;

/** A trace that holds no lookup value, record id, credential or content. Only `toTraceSafe` makes one. */
export interface TraceSafe {
  readonly [SAFE]: true;
  readonly trace: ContextTrace;
  /** Its canonical JSON: what is stored, served, exported and chained. */
  readonly json: string;
}

/** All there is to know of a turn when it is over. */
export interface TurnRecord {
  readonly id: string;
  readonly at: Instant;
  readonly durationMs: number;
  readonly build: ContextBuild;
  /** Null without one: fixtures. */
  readonly binding: DeploymentBinding | null;
  readonly plan: TurnPlan;
  readonly results: ReadonlyMap<string, ProviderOutcome>;
  readonly result: TurnResult;
}

/**
 * The one way from a turn to a trace: every field is named here, and what isn't named can't get in.
 *
 * Values become keyed digests, record ids locators; what a provider says of itself passes only as a plain word.
 */
export function toTraceSafe(record: TurnRecord, ring: KeyRing): TraceSafe {
  const { build, plan, result } = record;
  const trace: ContextTrace = {
    contract: TRACE_CONTRACT,
    id: record.id,
    at: record.at,
    durationMs: toWholeMs(record.durationMs),
    deployment: ring.deployment,
    project: { id: build.manifest.project.id, version: build.manifest.project.version },
    buildDigest: build.digest,
    keyId: ring.activeKeyId,
    objective: plan.request.objective,
    consumer: plan.request.consumer,
    profile: plan.profile.id,
    inputs: listDeclaredInputs(record),
    outcome: result.outcome,
    layers: result.layers.map(toTracedLayer),
    selection: result.selection.map(toTracedSelection),
    unknowns: result.unknowns.map(toTracedFact),
    blockedBy: result.blockedBy.map(toTracedFact),
    budget: { bytes: result.budget.bytes, used: result.budget.used },
    sanitizedCount: result.sanitizedCount,
    renderedDigest: ring.keyedDigest("context.trace.v1/rendered", result.rendered),
    providers: listProvenance({ plan, results: record.results, binding: record.binding, ring }),
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the brand is given here and nowhere else
  return { trace, json: toCanonicalJson(trace) } as TraceSafe;
}

/** A name that only the request has may be a value in the wrong place. */
function listDeclaredInputs({ build, plan }: TurnRecord): readonly string[] {
  const { layers, providers } = build.manifest;
  const declared = new Set([
    ...layers.flatMap(({ requiresInput }) => requiresInput),
    ...providers.map(({ lookup }) => lookup.input),
  ]);
  return Object.keys(plan.request.inputs)
    .filter((name) => declared.has(name))
    .toSorted();
}

function toTracedLayer(layer: LayerResult): LayerResult {
  return {
    layer: layer.layer,
    rule: layer.rule,
    priority: layer.priority,
    state: layer.state,
    reason: layer.reason,
    provider: layer.provider,
    providerStatus: layer.providerStatus,
    currentness: layer.currentness,
    isSelected: layer.isSelected,
    notSelectedBecause: layer.notSelectedBecause,
    bytes: layer.bytes,
  };
}

function toTracedSelection(record: SelectionRecord): SelectionRecord {
  return {
    layer: record.layer,
    material: record.material,
    provider: record.provider,
    index: record.index,
    isSelected: record.isSelected,
    reason: record.reason,
    bytes: record.bytes,
  };
}

function toTracedFact({ layer, provider, reason }: UnknownFact): TracedFact {
  return { layer, provider, reason };
}
