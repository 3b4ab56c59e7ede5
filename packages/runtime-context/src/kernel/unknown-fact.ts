import { toHeading } from "../rendering/render-material.ts";
import { FIXTURE_MISSING } from "../providers/fixture/fixture-missing.ts";
import type { ProviderRequirement } from "../project/context-project.ts";
import type { ProviderStatus } from "../providers/provider-outcome.ts";
import type { DecidedLayer } from "./decide-layer.ts";
import type { LookupValueFault } from "./turn-plan.ts";
import type { UnknownFact } from "./turn-result.ts";

/** What a layer leaves unknown, or undefined when it leaves nothing: no record is knowledge too. */
export function findUnknownFact(
  decided: DecidedLayer,
  providers: ReadonlyMap<string, ProviderRequirement>,
): UnknownFact | undefined {
  const why = explainUnknown(decided, providers);
  if (why === undefined) return undefined;
  const { layer } = decided.planned;
  return {
    layer: layer.id,
    provider: decided.provider,
    reason: decided.reason ?? decided.state,
    says: `${toHeading(layer.name)}: current facts are unknown; ${why}.`,
  };
}

function explainUnknown(
  decided: DecidedLayer,
  providers: ReadonlyMap<string, ProviderRequirement>,
): string | undefined {
  const nameProvider = (): string => toHeading(providers.get(decided.provider ?? "")?.name ?? "");
  switch (decided.state) {
    case "UNKNOWN":
      return `not provided: ${decided.planned.kind === "unknown" ? decided.planned.missing.join(", ") : ""}`;
    case "UNAVAILABLE":
      return `${nameProvider()} ${explainUnavailable(decided)}`;
    case "STALE":
      return decided.currentness === "CURRENT"
        ? `what ${nameProvider()} has is CURRENT, and the profile accepts only what is not`
        : `what ${nameProvider()} has is not known to be current (${decided.currentness})`;
    case "AVAILABLE":
    case "EMPTY":
    case "NOT_REQUESTED":
      return undefined;
    default:
      return decided.state satisfies never;
  }
}

/** Who wasn't asked is not to blame. Neither the value nor the pattern is repeated. */
function explainUnavailable({ planned, providerStatus, providerReason }: DecidedLayer): string {
  if (providerReason === FIXTURE_MISSING) return "has no fixture for this value";
  const why = planned.kind === "invalid_request" ? sayFault(planned) : NOT_ASKED[providerStatus ?? "OK"];
  if (why === undefined) return `gave no usable answer (${providerStatus})`;
  return `was not asked (${providerStatus}): ${why}`;
}

function sayFault({ input, fault }: { readonly input: string; readonly fault: LookupValueFault }): string {
  return `the input ${input} ${fault === "PATTERN" ? "does not match its pattern" : "looks like a credential"}`;
}

const NOT_ASKED: Partial<Record<ProviderStatus, string>> = {
  NOT_BOUND: "the binding has no entry for it",
  NOT_EVALUATED: "the time of the turn was over",
  INVALID_REQUEST: "the value may not be sent to it",
};

/** The last part of the text: what the reader must not take for granted. Empty without unknowns. */
export function renderUnknownFacts(unknowns: readonly UnknownFact[]): string {
  if (unknowns.length === 0) return "";
  return `# Unknown\n${unknowns.map(({ says }) => `- ${says}\n`).join("")}`;
}
