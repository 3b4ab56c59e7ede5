import { toCanonicalJson, type Instant } from "@loopx/contracts";
import type { DeploymentBinding } from "../binding/deployment-binding.ts";
import type { ContextBuild } from "../build/context-build.ts";
import type { KeyRing } from "../keys/key-ring.ts";
import { indexBuild } from "../kernel/build-index.ts";
import type { TurnPlan } from "../kernel/turn-plan.ts";
import type { LayerResult, SelectionRecord, TurnResult, UnknownFact } from "../kernel/turn-result.ts";
import type { ProviderOutcome } from "../providers/provider-outcome.ts";
import { TRACE_CONTRACT, type ContextTrace, type TracedFact, type TracedLayer } from "./context-trace.ts";
import { listProvenance, toWholeMs } from "./trace-provenance.ts";

declare const SAFE: unique symbol;

/** A trace that holds no lookup value, record id, credential or content. Only `toTraceSafe` makes one, and copies of it. */
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
 * `providers` may have been made before: with 1 MiB of facts it takes as long as all the rest.
 */
export function toTraceSafe(
  record: TurnRecord,
  ring: KeyRing,
  providers = listProvenance({ ...record, ring }),
): TraceSafe {
  const { build, plan, result } = record;
  // Members in canonical order, here and below, and of well-formed words: so the engine renders the canonical text.
  const trace: ContextTrace = {
    at: record.at,
    blockedBy: result.blockedBy.map(toTracedFact),
    budget: { bytes: result.budget.bytes, used: result.budget.used },
    buildDigest: build.digest,
    consumer: plan.request.consumer,
    contract: TRACE_CONTRACT,
    deployment: ring.deployment,
    durationMs: toWholeMs(record.durationMs),
    id: record.id,
    inputs: listDeclaredInputs(record),
    keyId: ring.activeKeyId,
    layers: result.layers.map(toTracedLayer),
    objective: plan.request.objective,
    outcome: result.outcome,
    profile: plan.profile.id,
    project: { id: build.manifest.project.id, version: build.manifest.project.version },
    providers,
    renderedDigest: ring.keyedDigest("context.trace.v1/rendered", result.renderedParts),
    sanitizedCount: result.sanitizedCount,
    selection: result.selection.map(toTracedSelection),
    unknowns: result.unknowns.map(toTracedFact),
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the brand is given here and nowhere else
  return { trace, json: JSON.stringify(trace) } as TraceSafe;
}

/** A trace without providers, of which every further one differs in what a turn is given: id, time, duration. */
export interface TraceTemplate {
  readonly trace: ContextTrace;
  /** Its JSON between `at` and `durationMs`, and behind `id`. */
  readonly middle: string;
  readonly tail: string;
}

const BEGINNING = '{"at":""';
const HOLE = '"durationMs":0,"id":""';

export function toTraceTemplate(trace: ContextTrace): TraceTemplate {
  const json = toCanonicalJson({ ...trace, at: "", durationMs: 0, id: "" });
  const hole = json.indexOf(HOLE);
  return { trace, middle: json.slice(BEGINNING.length, hole), tail: json.slice(hole + HOLE.length) };
}

/** The trace that `toTraceSafe` would make, byte for byte. */
export function fillTraceTemplate(
  { trace, middle, tail }: TraceTemplate,
  { id, at, durationMs }: Pick<ContextTrace, "id" | "at" | "durationMs">,
): TraceSafe {
  const json = `{"at":"${at}"${middle}"durationMs":${durationMs},"id":${JSON.stringify(id)}${tail}`;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as safe as the trace that the template was made of
  return { trace: { ...trace, at, durationMs, id }, json } as TraceSafe;
}

/** A name that only the request has may be a value in the wrong place. */
function listDeclaredInputs({ build, plan }: TurnRecord): readonly string[] {
  const { inputs } = indexBuild(build);
  return Object.keys(plan.request.inputs)
    .filter((name) => inputs.has(name))
    .toSorted();
}

function toTracedLayer(layer: LayerResult): TracedLayer {
  return {
    bytes: layer.bytes,
    currentness: layer.currentness,
    isSelected: layer.isSelected,
    layer: layer.layer,
    notSelectedBecause: layer.notSelectedBecause,
    priority: layer.priority,
    provider: layer.provider,
    providerStatus: layer.providerStatus,
    reason: layer.reason,
    rule: layer.rule,
    state: layer.state,
  };
}

function toTracedSelection(record: SelectionRecord): SelectionRecord {
  return {
    bytes: record.bytes,
    index: record.index,
    isSelected: record.isSelected,
    layer: record.layer,
    material: record.material,
    provider: record.provider,
    reason: record.reason,
  };
}

function toTracedFact({ layer, provider, reason }: UnknownFact): TracedFact {
  return { layer, provider, reason };
}
