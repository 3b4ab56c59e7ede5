import type { Instant } from "@loopx/contracts";
import type { Currentness } from "../project/context-project.ts";
import type { ProviderOutcome, ProviderStatus } from "../providers/provider-outcome.ts";
import type { Material } from "../rendering/render-material.ts";
import { judgeCurrentness } from "./judge-currentness.ts";
import { toLookupKey } from "./lookup-key.ts";
import { onceIfSettled } from "./settled-part.ts";
import type { PlannedLayer, PlannedLookup } from "./turn-plan.ts";
import type { LayerState } from "./turn-result.ts";

/** A layer once every answer is in. */
export interface DecidedLayer {
  readonly planned: PlannedLayer;
  readonly state: LayerState;
  readonly reason: string | null;
  readonly provider: string | null;
  readonly providerStatus: ProviderStatus | null;
  readonly providerReason: string | null;
  readonly providerPointer: string | null;
  readonly currentness: Currentness | null;
  /** What could be rendered, in order; there although the state forbids it, so that the record can say so. */
  readonly pieces: readonly Material[];
}

const NO_PROVIDER: ProviderPart = {
  provider: null,
  providerStatus: null,
  providerReason: null,
  providerPointer: null,
  currentness: null,
};

export interface LayerFacts {
  readonly results: ReadonlyMap<string, ProviderOutcome>;
  readonly now: Instant;
}

/** The state of one layer. Reads the answers to its own lookups and nothing else. */
export function decideLayer(planned: PlannedLayer, facts: LayerFacts): DecidedLayer {
  return planned.kind === "evaluated" ? decideEvaluated(planned, facts) : decideUnasked(planned);
}

/** Of a layer that nobody was asked for. */
const decideUnasked = onceIfSettled((planned: PlannedLayer): DecidedLayer => {
  const nothing = { planned, reason: null, ...NO_PROVIDER, pieces: [] };
  switch (planned.kind) {
    case "not_requested":
      return { ...nothing, state: "NOT_REQUESTED", reason: planned.reason };
    case "unknown":
      return { ...nothing, state: "UNKNOWN", reason: planned.reason };
    case "invalid_request":
      return {
        ...nothing,
        state: "UNAVAILABLE",
        reason: toFailureReason("INVALID_REQUEST"),
        provider: planned.provider,
        providerStatus: "INVALID_REQUEST",
      };
    case "evaluated":
      return { ...nothing, state: "AVAILABLE", pieces: listPieces(planned, []) };
    default:
      return planned satisfies never;
  }
});

type EvaluatedLayer = Extract<PlannedLayer, { kind: "evaluated" }>;

/** An answer as the kernel takes it. */
interface Answer {
  readonly provider: string;
  readonly status: ProviderStatus;
  readonly currentness: Currentness;
  readonly outcome: ProviderOutcome | undefined;
}

/** The first failure decides, then the first answer that is not current enough; a layer of several providers is one thing. */
function decideEvaluated(planned: EvaluatedLayer, facts: LayerFacts): DecidedLayer {
  const answers = planned.lookups.map((lookup) => toAnswer(lookup, facts));
  const [first] = answers;
  if (first === undefined) return decideUnasked(planned);
  const pieces = listPieces(planned, answers);
  const failed = answers.find(({ status }) => status !== "OK" && status !== "NOT_FOUND");
  if (failed !== undefined) {
    return { planned, pieces, state: "UNAVAILABLE", reason: toFailureReason(failed.status), ...describe(failed) };
  }
  const unaccepted = answers.find((answer) => hasItems(answer) && !planned.rule.accept.includes(answer.currentness));
  if (unaccepted !== undefined) {
    return { planned, pieces, state: "STALE", reason: "CURRENTNESS_NOT_ACCEPTED", ...describe(unaccepted) };
  }
  const found = answers.find(hasItems);
  if (found !== undefined) return { planned, pieces, state: "AVAILABLE", reason: null, ...describe(found) };
  return { planned, pieces, state: "EMPTY", reason: "NO_RECORD", ...describe(first) };
}

/** A lookup that nobody answered was not evaluated: the turn ended first. */
function toAnswer({ provider, value }: PlannedLookup, { results, now }: LayerFacts): Answer {
  const outcome = results.get(toLookupKey(provider, value));
  if (outcome === undefined) return { provider, status: "NOT_EVALUATED", currentness: "UNKNOWN", outcome };
  return { provider, status: outcome.status, currentness: judgeCurrentness(outcome, now), outcome };
}

function hasItems({ status, outcome }: Answer): boolean {
  return status === "OK" && (outcome?.items.length ?? 0) > 0;
}

type ProviderPart = Pick<
  DecidedLayer,
  "provider" | "providerStatus" | "providerReason" | "providerPointer" | "currentness"
>;

function describe(answer: Answer): ProviderPart {
  const { provider, status, outcome } = answer;
  return {
    provider,
    providerStatus: status,
    providerReason: outcome?.reason ?? null,
    providerPointer: outcome?.finding?.pointer ?? null,
    currentness: hasItems(answer) ? answer.currentness : null,
  };
}

function toFailureReason(status: ProviderStatus): string {
  return `PROVIDER_${status}`;
}

function listPieces({ layer }: EvaluatedLayer, answers: readonly Answer[]): readonly Material[] {
  if (layer.material !== null) return layer.material.pieces;
  // Lookups stand in the order of the layer's provider bindings.
  const inOrder = answers.values();
  return layer.bindings.flatMap((_binding, index) => {
    const text = layer.texts.get(index);
    if (text !== undefined) return [text];
    const answer = inOrder.next().value;
    return answer === undefined || !hasItems(answer) ? [] : toProviderPieces(answer);
  });
}

function toProviderPieces({ provider, currentness, outcome }: Answer): readonly Material[] {
  const { items = [], observedAt = "" } = outcome ?? {};
  return items.map((item, index) => ({ kind: "provider", provider, item, index, currentness, observedAt }));
}
