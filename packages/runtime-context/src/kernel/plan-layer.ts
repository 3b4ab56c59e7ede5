import { containsCredential } from "@loopx/contracts";
import type { ProviderRequirement } from "../project/context-project.ts";
import { matchesLookupPattern } from "../project/lookup-pattern.ts";
import type { IndexedEntry } from "./build-index.ts";
import { markSettled, onceIfSettled } from "./settled-part.ts";
import type { LookupValueFault, PlannedLayer, PlannedLookup, TurnRequest } from "./turn-plan.ts";

/**
 * What is known of a layer before any provider is called (seed 004, Invocation).
 *
 * A layer asks all of its providers or none: with one input missing or malformed nothing of it is fetched.
 */
export function planLayer(entry: IndexedEntry, request: TurnRequest, findValueFault: FindValueFault): PlannedLayer {
  const { layer, rule } = entry;
  const scope = findScopeReason(entry, request);
  if (scope !== undefined || layer.inputs.length === 0) return loadSettledPlan(entry, scope ?? null);
  const missing = layer.inputs.filter((input) => findInput(request, input) === undefined);
  if (missing.length > 0) {
    const isLookupInput = layer.providers.some(({ lookup }) => missing.includes(lookup.input));
    const reason = isLookupInput ? "PROVIDER_INPUT_NOT_PROVIDED" : "REQUIRED_INPUT_NOT_PROVIDED";
    return { layer, rule, kind: "unknown", reason, missing };
  }
  const lookups: PlannedLookup[] = [];
  for (const provider of layer.providers) {
    const { id, lookup, maxItems } = provider;
    const value = findInput(request, lookup.input) ?? "";
    const fault = findValueFault(provider, value);
    if (fault !== undefined) return { layer, rule, kind: "invalid_request", provider: id, input: lookup.input, fault };
    lookups.push({ provider: id, input: lookup.input, value, limit: maxItems });
  }
  return { layer, rule, kind: "evaluated", lookups };
}

/** The plans of a layer in which no input has a part, by scope: the same object in each turn. */
const loadSettledPlans = onceIfSettled((_entry: IndexedEntry) => new Map<ScopeReason | null, PlannedLayer>());

function loadSettledPlan(entry: IndexedEntry, scope: ScopeReason | null): PlannedLayer {
  const plans = loadSettledPlans(entry);
  const known = plans.get(scope);
  if (known !== undefined) return known;
  const { layer, rule } = entry;
  const fresh: PlannedLayer =
    scope === null
      ? { layer, rule, kind: "evaluated", lookups: [] }
      : { layer, rule, kind: "not_requested", reason: scope };
  plans.set(scope, markSettled(fresh));
  return fresh;
}

type ScopeReason = Extract<PlannedLayer, { kind: "not_requested" }>["reason"];

function findScopeReason({ layer, rule }: IndexedEntry, request: TurnRequest): ScopeReason | undefined {
  if (rule.rule === "excluded") return "EXCLUDED";
  if (layer.objectives !== null && !layer.objectives.includes(request.objective)) return "OBJECTIVE_OUT_OF_SCOPE";
  if (layer.consumers !== null && !layer.consumers.includes(request.consumer)) return "CONSUMER_OUT_OF_SCOPE";
  return undefined;
}

/** An input with no character in it counts as not given. Names such as `constructor` are inputs like any other. */
function findInput({ inputs }: TurnRequest, name: string): string | undefined {
  const value = Object.hasOwn(inputs, name) ? inputs[name] : undefined;
  return value === "" ? undefined : value;
}

/** Why a value may not be sent to a provider, or undefined. */
export type FindValueFault = (provider: ProviderRequirement, value: string) => LookupValueFault | undefined;

/** The base class admits tokens too, so a value that looks like a secret is never sent anywhere (facts K4). */
export const judgeLookupValue: FindValueFault = ({ lookup }, value) => {
  if (!matchesLookupPattern(lookup.pattern, value)) return "PATTERN";
  return containsCredential(value) === undefined ? undefined : "CREDENTIAL";
};
