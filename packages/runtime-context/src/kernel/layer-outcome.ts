import type { RenderedLayer } from "../rendering/render-material.ts";
import type { DecidedLayer } from "./decide-layer.ts";
import { isSettled, markSettled, onceIfSettled } from "./settled-part.ts";
import type { LayerResult, SelectionRecord } from "./turn-result.ts";

/** What a result says of one layer. */
export interface LayerOutcome {
  readonly result: LayerResult;
  readonly records: readonly SelectionRecord[];
}

/**
 * The outcome of a layer, rendered if it is available. `notSelectedBecause` is null where it is in the text: all in which a
 * settled layer differs from turn to turn.
 */
export function toLayerOutcome(
  decided: DecidedLayer,
  rendered: RenderedLayer | undefined,
  notSelectedBecause: string | null,
): LayerOutcome {
  if (!isSettled(decided)) return createOutcome(decided, rendered, notSelectedBecause);
  const outcomes = loadSettledOutcomes(decided);
  const known = outcomes.get(notSelectedBecause);
  if (known !== undefined) return known;
  const outcome = createOutcome(decided, rendered, notSelectedBecause);
  markSettled(outcome.result);
  for (const record of outcome.records) markSettled(record);
  outcomes.set(notSelectedBecause, outcome);
  return outcome;
}

const loadSettledOutcomes = onceIfSettled((_decided: DecidedLayer) => new Map<string | null, LayerOutcome>());

function createOutcome(
  decided: DecidedLayer,
  rendered: RenderedLayer | undefined,
  notSelectedBecause: string | null,
): LayerOutcome {
  return {
    result: toLayerResult(decided, rendered, notSelectedBecause),
    records: toSelectionRecords(decided, rendered, notSelectedBecause),
  };
}

function toLayerResult(
  { planned, state, reason, ...answered }: DecidedLayer,
  rendered: RenderedLayer | undefined,
  notSelectedBecause: string | null,
): LayerResult {
  const isSelected = notSelectedBecause === null;
  return {
    layer: planned.layer.id,
    rule: planned.rule.rule,
    priority: planned.rule.priority,
    state,
    reason,
    provider: answered.provider,
    providerStatus: answered.providerStatus,
    providerReason: answered.providerReason,
    providerPointer: answered.providerPointer,
    currentness: answered.currentness,
    isSelected,
    notSelectedBecause,
    bytes: isSelected ? (rendered?.bytes ?? 0) : 0,
  };
}

function toSelectionRecords(
  { planned, state, reason, pieces }: DecidedLayer,
  rendered: RenderedLayer | undefined,
  notSelectedBecause: string | null,
): readonly SelectionRecord[] {
  return pieces.map((piece, index) => ({
    layer: planned.layer.id,
    material: piece.kind,
    provider: piece.kind === "provider" ? piece.provider : null,
    index: piece.index,
    isSelected: notSelectedBecause === null,
    reason: state === "AVAILABLE" ? notSelectedBecause : reason,
    bytes: rendered?.pieceBytes[index] ?? 0,
  }));
}
