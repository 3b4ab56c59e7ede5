import { refuse, type Refusal } from "@loopx/contracts";
import type { ContextBuild } from "../build/context-build.ts";
import { indexBuild, type BuildIndex, type IndexedProfile } from "./build-index.ts";
import { toLookupKey } from "./lookup-key.ts";
import { judgeLookupValue, planLayer, type FindValueFault } from "./plan-layer.ts";
import type { PlannedLookup, TurnPlan, TurnRequest } from "./turn-plan.ts";

/**
 * Says which layers of the profile take part in a turn and which lookups may be made for it, each once.
 *
 * Pure, and linear in the profile's layers. Nothing else may be fetched: what a provider answers never adds a lookup. Refuses
 * with `invalid_value` an objective, consumer or profile that the build doesn't have, and a profile left open where it has
 * several. A turn that is carried out again has no values to judge: it says what was found wrong with them.
 */
export function planTurn(
  build: ContextBuild,
  request: TurnRequest,
  findValueFault: FindValueFault = judgeLookupValue,
): TurnPlan | Refusal {
  const index = indexBuild(build);
  const found = findProfile(index, request);
  if ("ok" in found) return found;
  if (!index.objectives.has(request.objective)) return refuseUnknown("objective", [...index.objectives]);
  if (!index.consumers.has(request.consumer)) return refuseUnknown("consumer", [...index.consumers]);
  const layers = found.entries.map((entry) => planLayer(entry, request, findValueFault));
  const lookups = new Map<string, PlannedLookup>();
  for (const layer of layers) {
    if (layer.kind !== "evaluated") continue;
    for (const lookup of layer.lookups) {
      const key = toLookupKey(lookup.provider, lookup.value);
      if (!lookups.has(key)) lookups.set(key, lookup);
    }
  }
  return { profile: found.profile, request, layers, lookups: [...lookups.values()] };
}

function findProfile(index: BuildIndex, request: TurnRequest): IndexedProfile | Refusal {
  const names = [...index.profiles.keys()];
  if (request.profile === null && names.length > 1) {
    return refuse("invalid_value", {
      message: "the build has several profiles and the request names none",
      hint: `name one of: ${names.join(", ")}`,
      details: { field: "profile" },
    });
  }
  const profile = index.profiles.get(request.profile ?? names[0] ?? "");
  return profile ?? refuseUnknown("profile", names);
}

/** The name itself is not repeated: it comes from the request. */
function refuseUnknown(field: "objective" | "consumer" | "profile", known: readonly string[]): Refusal {
  return refuse("invalid_value", {
    message: `there is no such ${field}`,
    hint: known.length === 0 ? `the project declares no ${field}` : `name one of: ${known.join(", ")}`,
    details: { field },
  });
}
