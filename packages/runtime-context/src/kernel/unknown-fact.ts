import { toHeading } from "../rendering/render-material.ts";
import type { ProviderRequirement } from "../project/context-project.ts";
import type { DecidedLayer } from "./decide-layer.ts";
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
      return `${nameProvider()} gave no usable answer (${decided.providerStatus})`;
    case "STALE":
      return `what ${nameProvider()} has is not known to be current (${decided.currentness})`;
    case "AVAILABLE":
    case "EMPTY":
    case "NOT_REQUESTED":
      return undefined;
    default:
      return decided.state satisfies never;
  }
}

/** The last part of the text: what the reader must not take for granted. Empty without unknowns. */
export function renderUnknownFacts(unknowns: readonly UnknownFact[]): string {
  if (unknowns.length === 0) return "";
  return `# Unknown\n${unknowns.map(({ says }) => `- ${says}\n`).join("")}`;
}
