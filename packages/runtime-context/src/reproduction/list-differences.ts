import { toCanonicalJson } from "@loopx/contracts";
import type { ContextTrace } from "../trace/context-trace.ts";
import type { Difference } from "./reproduction.ts";

/** What a turn decides as a whole. */
const WHOLE_PARTS = ["outcome", "profile", "inputs", "budget", "sanitizedCount", "renderedDigest"] as const;
/** What it decides for each layer. */
const LAYER_PARTS = ["layers", "selection", "unknowns", "blockedBy"] as const;

/** Every part of a turn that came out otherwise. Empty for the same bytes. */
export function listDifferences(recorded: ContextTrace, reproduced: ContextTrace): readonly Difference[] {
  const ofWhole = WHOLE_PARTS.flatMap((part) =>
    compare({ part, layer: null, recorded: recorded[part], reproduced: reproduced[part] }),
  );
  return [...ofWhole, ...LAYER_PARTS.flatMap((part) => compareLayers(part, recorded[part], reproduced[part]))];
}

function compareLayers(
  part: string,
  recorded: readonly LayerPart[],
  reproduced: readonly LayerPart[],
): readonly Difference[] {
  if (isSame(recorded, reproduced)) return [];
  const layers = new Set([...recorded, ...reproduced].map(({ layer }) => layer));
  const ofLayers = [...layers].flatMap((layer) => {
    const [then, now] = [recorded, reproduced].map((entries) => entries.filter((entry) => entry.layer === layer));
    return compare({ part, layer, recorded: toSide(then), reproduced: toSide(now) });
  });
  // Each layer is as it was: they stand in another order.
  return ofLayers.length > 0 ? ofLayers : compare({ part, layer: null, recorded, reproduced });
}

interface LayerPart {
  readonly layer: string;
}

/** One entry as itself. */
function toSide(entries: readonly LayerPart[] = []): unknown {
  return entries.length > 1 ? entries : (entries[0] ?? null);
}

function compare(difference: Difference): readonly Difference[] {
  return isSame(difference.recorded, difference.reproduced) ? [] : [difference];
}

function isSame(left: unknown, right: unknown): boolean {
  return toCanonicalJson(left) === toCanonicalJson(right);
}
