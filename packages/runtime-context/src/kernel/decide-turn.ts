import type { Fence, Instant } from "@loopx/contracts";
import type { ContextBuild } from "../build/context-build.ts";
import type { ProviderOutcome } from "../providers/provider-outcome.ts";
import { renderMaterial, type RenderedLayer, type RenderedPart } from "../rendering/render-material.ts";
import { indexBuild } from "./build-index.ts";
import { decideLayer, type DecidedLayer } from "./decide-layer.ts";
import { listBlockReasons } from "./block-reason.ts";
import { toLayerOutcome } from "./layer-outcome.ts";
import { selectLayers, SEPARATOR_BYTES, type LayerSelection } from "./select-layers.ts";
import type { TurnPlan } from "./turn-plan.ts";
import type { TurnResult, UnknownFact } from "./turn-result.ts";
import { findUnknownFact, renderUnknownFacts } from "./unknown-fact.ts";

export interface TurnFacts {
  /** The build that the plan was made from. */
  readonly build: ContextBuild;
  readonly now: Instant;
  readonly fence: Fence;
}

/**
 * The result of a turn, from its plan and what became of its lookups, by `toLookupKey`.
 *
 * Pure, and linear in the plan's layers: equal inputs give equal bytes on any machine, whatever the order of the map. A
 * lookup without an outcome counts as NOT_EVALUATED. The rendered text is within the budget; only the sentences about
 * unknowns are never left out for it.
 */
export function decideTurn(
  plan: TurnPlan,
  results: ReadonlyMap<string, ProviderOutcome>,
  facts: TurnFacts,
): TurnResult {
  const { providers } = indexBuild(facts.build);
  const decided = plan.layers.map((planned) => decideLayer(planned, { results, now: facts.now }));
  const unknowns = decided.flatMap((layer) => findUnknownFact(layer, providers) ?? []);
  const draft = draftText(plan, decided, { unknowns, fence: facts.fence });
  const blockedBy = listBlockReasons(decided, unknowns, draft);
  const isBlocked = blockedBy.length > 0;
  const outcomes = decided.map((layer) => {
    const because = findNotSelectedReason(layer, draft, isBlocked);
    return toLayerOutcome(layer, draft.rendered.get(layer.planned.layer.id), because);
  });
  const renderedParts = isBlocked ? [] : listParts(draft);
  return {
    outcome: isBlocked ? "BLOCKED" : unknowns.length > 0 ? "DEGRADED" : "READY",
    layers: outcomes.map(({ result }) => result),
    selection: outcomes.flatMap(({ records }) => records),
    unknowns,
    blockedBy,
    rendered: renderedParts.reduce((whole, { text }) => whole + text, ""),
    renderedParts,
    budget: { bytes: draft.budget, used: isBlocked ? 0 : countBytes(draft) },
    sanitizedCount: isBlocked ? 0 : countSanitized(draft),
  };
}

/** The text before it is known whether the turn is blocked. */
interface TextDraft {
  readonly budget: number;
  /** One part, or none: the same of the tail, what is unknown. */
  readonly notice: readonly string[];
  readonly selected: readonly RenderedLayer[];
  readonly tail: readonly string[];
  /** The available layers, in order, by id. */
  readonly rendered: ReadonlyMap<string, RenderedLayer>;
  readonly selection: LayerSelection;
}

function draftText(
  plan: TurnPlan,
  decided: readonly DecidedLayer[],
  { unknowns, fence }: { readonly unknowns: readonly UnknownFact[]; readonly fence: Fence },
): TextDraft {
  const available = decided.filter(({ state }) => state === "AVAILABLE");
  const material = renderMaterial(
    available.map(({ planned: { layer }, pieces }) => {
      const { id, name, metadata, material: own } = layer;
      return own ?? { layer: id, name, metadata, pieces };
    }),
    fence,
  );
  const required = new Set(available.filter(isRequired).map(({ planned }) => planned.layer.id));
  const tail = renderUnknownFacts(unknowns);
  const budget = toByteBudget(plan);
  const selection = selectLayers(material, {
    budget,
    reservedBytes: tail === "" ? 0 : Buffer.byteLength(tail) + SEPARATOR_BYTES,
    isRequired: (layer) => required.has(layer),
  });
  const selected = material.layers.filter(({ layer }) => selection.selected.has(layer));
  const hasNotice = selected.some(({ hasProviderMaterial }) => hasProviderMaterial);
  return {
    budget,
    notice: hasNotice ? [material.notice] : [],
    selected,
    tail: tail === "" ? [] : [tail],
    rendered: new Map(material.layers.map((layer) => [layer.layer, layer])),
    selection,
  };
}

/** A token of any encoding is at least one byte, so this many bytes keep a token budget without a tokenizer. */
function toByteBudget({ profile: { budget } }: TurnPlan): number {
  return Math.min(budget.bytes, budget.tokens?.max ?? Infinity);
}

function listParts({ notice, selected, tail }: TextDraft): readonly RenderedPart[] {
  const parts: RenderedPart[] = [];
  const append = (stretch: readonly RenderedPart[]): void => {
    if (parts.length > 0) parts.push(SEPARATOR);
    parts.push(...stretch);
  };
  for (const text of notice) append([{ text, item: null }]);
  for (const layer of selected) append(layer.parts);
  for (const text of tail) append([{ text, item: null }]);
  return parts;
}

const SEPARATOR: RenderedPart = { text: "\n", item: null };

/** Added up: counting a large text again costs as much as rendering it. */
function countBytes({ notice, selected, tail }: TextDraft): number {
  const separators = Math.max(0, notice.length + selected.length + tail.length - 1) * SEPARATOR_BYTES;
  const own = [...notice, ...tail].reduce((sum, text) => sum + Buffer.byteLength(text), separators);
  return selected.reduce((sum, { bytes }) => sum + bytes, own);
}

function countSanitized(draft: TextDraft): number {
  return draft.selected.reduce((sum, { sanitizedCount }) => sum + sanitizedCount, 0);
}

function findNotSelectedReason({ planned, state }: DecidedLayer, draft: TextDraft, isBlocked: boolean): string | null {
  if (state !== "AVAILABLE") return "NOT_AVAILABLE";
  if (draft.selection.turnedAway.has(planned.layer.id)) return "BUDGET";
  return isBlocked ? "TURN_BLOCKED" : null;
}

function isRequired({ planned }: DecidedLayer): boolean {
  return planned.rule.rule === "required";
}
