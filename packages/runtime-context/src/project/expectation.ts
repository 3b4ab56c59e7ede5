import type { LayerState, TurnOutcome } from "../kernel/turn-result.ts";
import type { ProviderStatus } from "../providers/provider-outcome.ts";

/** What a Context Test says of its turn. */
export type Expectation =
  | { readonly kind: "outcome"; readonly outcome: TurnOutcome }
  /** What isn't named is not looked at. */
  | {
      readonly kind: "layer";
      readonly layer: string;
      readonly state: LayerState | null;
      readonly reason: string | null;
      readonly notSelectedBecause: string | null;
    }
  /** These are in the text; these are not; these stand in it in this order. */
  | { readonly kind: "selected" | "excluded" | "order"; readonly layers: readonly string[] }
  | {
      readonly kind: "provider";
      readonly provider: string;
      readonly status: ExpectedStatus;
      readonly reason: string | null;
    }
  | { readonly kind: "contains"; readonly text: string }
  | { readonly kind: "matches"; readonly pattern: string }
  | { readonly kind: "bytesAtMost"; readonly bytes: number }
  /** The turn says that facts of this layer are unknown. */
  | { readonly kind: "unknown"; readonly layer: string }
  /** `sha256:` and hex of the text; empty until one is accepted. */
  | { readonly kind: "digest"; readonly digest: string }
  | { readonly kind: "not"; readonly expectation: Expectation }
  | { readonly kind: "all" | "any"; readonly expectations: readonly Expectation[] };

/** A provider that a turn had no reason to look at is NOT_REQUESTED. */
export type ExpectedStatus = ProviderStatus | "NOT_REQUESTED";

/** One expectation as it is written. Exactly one of its kinds is there. */
export interface WrittenExpectation {
  readonly outcome?: TurnOutcome | undefined;
  readonly layer?: string | undefined;
  readonly state?: LayerState | undefined;
  readonly reason?: string | undefined;
  readonly notSelectedBecause?: string | undefined;
  readonly selected?: readonly string[] | undefined;
  readonly excluded?: readonly string[] | undefined;
  readonly order?: readonly string[] | undefined;
  readonly provider?: string | undefined;
  readonly status?: ExpectedStatus | undefined;
  readonly contains?: string | undefined;
  readonly matches?: string | undefined;
  readonly bytesAtMost?: number | undefined;
  readonly unknown?: string | undefined;
  readonly digest?: string | undefined;
  readonly not?: WrittenExpectation | undefined;
  readonly all?: readonly WrittenExpectation[] | undefined;
  readonly any?: readonly WrittenExpectation[] | undefined;
}

/** The schema has seen to it that exactly one kind is there, with what belongs to it. */
export function toExpectation(written: WrittenExpectation): Expectation {
  const { reason = null, notSelectedBecause = null } = written;
  if (written.outcome !== undefined) return { kind: "outcome", outcome: written.outcome };
  if (written.layer !== undefined) {
    return { kind: "layer", layer: written.layer, state: written.state ?? null, reason, notSelectedBecause };
  }
  if (written.provider !== undefined) {
    return { kind: "provider", provider: written.provider, status: written.status ?? "OK", reason };
  }
  for (const kind of ["selected", "excluded", "order"] as const) {
    const layers = written[kind];
    if (layers !== undefined) return { kind, layers };
  }
  if (written.contains !== undefined) return { kind: "contains", text: written.contains };
  if (written.matches !== undefined) return { kind: "matches", pattern: written.matches };
  if (written.bytesAtMost !== undefined) return { kind: "bytesAtMost", bytes: written.bytesAtMost };
  if (written.unknown !== undefined) return { kind: "unknown", layer: written.unknown };
  if (written.digest !== undefined) return { kind: "digest", digest: written.digest };
  if (written.not !== undefined) return { kind: "not", expectation: toExpectation(written.not) };
  const kind = written.all === undefined ? "any" : "all";
  return { kind, expectations: (written[kind] ?? []).map(toExpectation) };
}
