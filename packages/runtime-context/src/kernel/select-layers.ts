import type { RenderedLayer, RenderedMaterial } from "../rendering/render-material.ts";

/** The parts of the text, in order, and the layers in it. */
export interface LayerSelection {
  readonly selected: ReadonlySet<string>;
  /** Bytes that were free when a layer was turned away. */
  readonly turnedAway: ReadonlyMap<string, number>;
}

export interface SelectionRules {
  /** UTF-8 bytes of the whole text. */
  readonly budget: number;
  /** What stands in the text whatever is selected. */
  readonly reservedBytes: number;
  readonly isRequired: (layer: string) => boolean;
}

/** The line feed between two parts of the text. */
export const SEPARATOR_BYTES = 1;

/**
 * Takes layers whole while they fit: the required ones first, so that a big optional answer can never block a turn; among
 * each, in the given order. A layer that doesn't fit leaves its room to later ones.
 */
export function selectLayers({ notice, layers }: RenderedMaterial, rules: SelectionRules): LayerSelection {
  const noticeBytes = Buffer.byteLength(notice) + SEPARATOR_BYTES;
  const selected = new Set<string>();
  const turnedAway = new Map<string, number>();
  // The first part has no separator before it.
  let free = rules.budget + SEPARATOR_BYTES - rules.reservedBytes;
  let hasNotice = false;
  const take = (layer: RenderedLayer): void => {
    const needsNotice = layer.hasProviderMaterial && !hasNotice;
    const cost = layer.bytes + SEPARATOR_BYTES + (needsNotice ? noticeBytes : 0);
    if (cost > free) {
      turnedAway.set(layer.layer, Math.max(0, free - SEPARATOR_BYTES));
      return;
    }
    free -= cost;
    hasNotice ||= needsNotice;
    selected.add(layer.layer);
  };
  for (const layer of layers) if (rules.isRequired(layer.layer)) take(layer);
  for (const layer of layers) if (!rules.isRequired(layer.layer)) take(layer);
  return { selected, turnedAway };
}
