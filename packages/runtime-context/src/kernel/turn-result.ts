import type { Currentness } from "../project/context-project.ts";
import type { RenderedPart } from "../rendering/render-material.ts";
import type { ProviderStatus } from "../providers/provider-outcome.ts";

export const TURN_OUTCOMES = ["READY", "DEGRADED", "BLOCKED"] as const;

export type TurnOutcome = (typeof TURN_OUTCOMES)[number];

export const LAYER_STATES = ["AVAILABLE", "EMPTY", "STALE", "UNKNOWN", "UNAVAILABLE", "NOT_REQUESTED"] as const;

export type LayerState = (typeof LAYER_STATES)[number];

/** What became of a layer, and why. */
export interface LayerResult {
  readonly layer: string;
  readonly rule: "required" | "optional" | "excluded";
  readonly priority: number;
  readonly state: LayerState;
  /** `PROVIDER_INPUT_NOT_PROVIDED`, `PROVIDER_TIMEOUT`, `CURRENTNESS_NOT_ACCEPTED`, …; null where nothing needs saying. */
  readonly reason: string | null;
  readonly provider: string | null;
  readonly providerStatus: ProviderStatus | null;
  /** Why the provider's status is what it is, such as `UNKNOWN_FIELD`; null where the status says it all. */
  readonly providerReason: string | null;
  /** JSON pointer to the place in its answer that is to blame, or null. */
  readonly providerPointer: string | null;
  readonly currentness: Currentness | null;
  readonly isSelected: boolean;
  /** Why a layer that could have been is not in the text: `BUDGET`, `NOT_AVAILABLE`, `TURN_BLOCKED`; null when it is. */
  readonly notSelectedBecause: string | null;
  /** UTF-8 bytes it takes in the rendered text. */
  readonly bytes: number;
}

/** One piece of material and whether it was rendered. */
export interface SelectionRecord {
  readonly layer: string;
  readonly material: "static" | "provider";
  /** Of provider material: marks it in traces (seed 004). */
  readonly provider: string | null;
  /** Position of the item within the answer, or of the binding within the layer. */
  readonly index: number;
  readonly isSelected: boolean;
  readonly reason: string | null;
  readonly bytes: number;
}

/** What a turn does not know, in a sentence that can be shown. */
export interface UnknownFact {
  readonly layer: string;
  readonly provider: string | null;
  readonly reason: string;
  readonly says: string;
}

/** Why a required layer blocks the turn: it is unknown, has no record where one is needed, or doesn't fit the budget. */
export type BlockReason = UnknownFact;

/** The second half of a turn: pure, made from plan, outcomes and clock. */
export interface TurnResult {
  readonly outcome: TurnOutcome;
  readonly layers: readonly LayerResult[];
  readonly selection: readonly SelectionRecord[];
  readonly unknowns: readonly UnknownFact[];
  /** One for each required layer that blocks; empty unless BLOCKED. */
  readonly blockedBy: readonly BlockReason[];
  /** Empty when BLOCKED. */
  readonly rendered: string;
  /**
   * The same text in parts. Put together, one character beyond Latin-1, as the data notice has, doubles the memory of all
   * of it and makes hashing and encoding several times as slow.
   */
  readonly renderedParts: readonly RenderedPart[];
  readonly budget: { readonly bytes: number; readonly used: number };
  /** Characters that were neutralised in provider material. */
  readonly sanitizedCount: number;
}
