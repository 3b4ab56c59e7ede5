import { toHeading } from "../rendering/render-material.ts";
import type { RenderedLayer } from "../rendering/render-material.ts";
import type { DecidedLayer } from "./decide-layer.ts";
import type { LayerSelection } from "./select-layers.ts";
import type { BlockReason, UnknownFact } from "./turn-result.ts";

interface Candidates {
  readonly budget: number;
  readonly rendered: ReadonlyMap<string, RenderedLayer>;
  readonly selection: LayerSelection;
}

/** Every reason for which the turn is blocked, in the order of the layers: one for each required layer that isn't there. */
export function listBlockReasons(
  decided: readonly DecidedLayer[],
  unknowns: readonly UnknownFact[],
  candidates: Candidates,
): readonly BlockReason[] {
  const unknownByLayer = new Map(unknowns.map((unknown) => [unknown.layer, unknown]));
  return decided
    .filter(({ planned }) => planned.rule.rule === "required")
    .flatMap((layer) => findBlockReason(layer, unknownByLayer, candidates) ?? []);
}

function findBlockReason(
  { planned: { layer }, state, provider, reason }: DecidedLayer,
  unknowns: ReadonlyMap<string, UnknownFact>,
  { budget, rendered, selection }: Candidates,
): BlockReason | undefined {
  const unknown = unknowns.get(layer.id);
  if (unknown !== undefined) return unknown;
  const name = toHeading(layer.name);
  if (state === "EMPTY" && layer.emptyIs === "blocked") {
    return {
      layer: layer.id,
      provider,
      reason: reason ?? state,
      says: `${name}: there is no record, and one is needed.`,
    };
  }
  const free = selection.turnedAway.get(layer.id);
  if (free === undefined) return undefined;
  const bytes = rendered.get(layer.id)?.bytes ?? 0;
  const says = `${name}: its ${bytes} bytes don't fit; ${free} of the budget of ${budget} were free.`;
  return { layer: layer.id, provider, reason: "BUDGET", says };
}
