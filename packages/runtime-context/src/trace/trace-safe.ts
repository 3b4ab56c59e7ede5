import { toCanonicalJson, type Instant } from "@loopx/contracts";
import type { DeploymentBinding } from "../binding/deployment-binding.ts";
import type { ContextBuild } from "../build/context-build.ts";
import type { KeyRing } from "../keys/key-ring.ts";
import { indexBuild } from "../kernel/build-index.ts";
import { onceIfSettled } from "../kernel/settled-part.ts";
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
  const layers = result.layers.map(traceLayer);
  const selection = result.selection.map(traceSelection);
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
    layers: layers.map(({ part }) => part),
    objective: plan.request.objective,
    outcome: result.outcome,
    profile: plan.profile.id,
    project: { id: build.manifest.project.id, version: build.manifest.project.version },
    providers,
    renderedDigest: ring.keyedDigest(
      "context.trace.v1/rendered",
      result.renderedParts.map(({ text }) => text),
    ),
    sanitizedCount: result.sanitizedCount,
    selection: selection.map(({ part }) => part),
    unknowns: result.unknowns.map(toTracedFact),
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the brand is given here and nowhere else
  return { trace, json: renderTrace(trace, layers, selection) } as TraceSafe;
}

interface TracedPart<Part> {
  readonly part: Part;
  readonly json: string;
}

/** The canonical text of a trace: members in their order, words that are well-formed. */
function renderTrace(
  trace: ContextTrace,
  layers: readonly TracedPart<TracedLayer>[],
  selection: readonly TracedPart<SelectionRecord>[],
): string {
  const quote = JSON.stringify;
  return (
    `{"at":${quote(trace.at)},"blockedBy":${quote(trace.blockedBy)}` +
    `,"budget":{"bytes":${trace.budget.bytes},"used":${trace.budget.used}},"buildDigest":${quote(trace.buildDigest)}` +
    `,"consumer":${quote(trace.consumer)},"contract":${quote(trace.contract)},"deployment":${quote(trace.deployment)}` +
    `,"durationMs":${trace.durationMs},"id":${quote(trace.id)},"inputs":${quote(trace.inputs)},"keyId":${quote(trace.keyId)}` +
    `,"layers":[${joinParts(layers)}],"objective":${quote(trace.objective)},"outcome":${quote(trace.outcome)}` +
    `,"profile":${quote(trace.profile)},"project":${quote(trace.project)},"providers":${quote(trace.providers)}` +
    `,"renderedDigest":${quote(trace.renderedDigest)},"sanitizedCount":${trace.sanitizedCount}` +
    `,"selection":[${joinParts(selection)}],"unknowns":${quote(trace.unknowns)}}`
  );
}

function joinParts(parts: readonly TracedPart<unknown>[]): string {
  let joined = "";
  for (const { json } of parts) joined += joined === "" ? json : `,${json}`;
  return joined;
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

/** A name that only the request has may be a value in the wrong place; an input without a character counts as not given. */
function listDeclaredInputs({ build, plan }: TurnRecord): readonly string[] {
  const { inputs } = indexBuild(build);
  return Object.keys(plan.request.inputs)
    .filter((name) => inputs.has(name) && plan.request.inputs[name] !== "")
    .toSorted();
}

const traceLayer = onceIfSettled((layer: LayerResult) =>
  withJson<TracedLayer>({
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
  }),
);

const traceSelection = onceIfSettled((record: SelectionRecord) =>
  withJson<SelectionRecord>({
    bytes: record.bytes,
    index: record.index,
    isSelected: record.isSelected,
    layer: record.layer,
    material: record.material,
    provider: record.provider,
    reason: record.reason,
  }),
);

function withJson<Part>(part: Part): TracedPart<Part> {
  return { part, json: JSON.stringify(part) };
}

function toTracedFact({ layer, provider, reason }: UnknownFact): TracedFact {
  return { layer, provider, reason };
}
