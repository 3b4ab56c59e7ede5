import type { Profile } from "../project/context-project.ts";
import type { IndexedEntry } from "./build-index.ts";

/** What a turn is asked for, validated. */
export interface TurnRequest {
  readonly objective: string;
  readonly consumer: string;
  /** Null takes the build's only profile. */
  readonly profile: string | null;
  readonly inputs: Readonly<Record<string, string>>;
}

/** One call that the rules allow; at most one per (provider, value) and turn. */
export interface PlannedLookup {
  readonly provider: string;
  readonly input: string;
  readonly value: string;
  readonly limit: number;
}

/** Why a value is not sent to a provider: it doesn't match what the project declares, or it looks like a secret. */
export type LookupValueFault = "PATTERN" | "CREDENTIAL";

/** What is known of a layer before any provider is called. */
export type PlannedLayer = IndexedEntry &
  (
    | {
        readonly kind: "not_requested";
        readonly reason: "EXCLUDED" | "OBJECTIVE_OUT_OF_SCOPE" | "CONSUMER_OUT_OF_SCOPE";
      }
    | {
        readonly kind: "unknown";
        readonly reason: "PROVIDER_INPUT_NOT_PROVIDED" | "REQUIRED_INPUT_NOT_PROVIDED";
        readonly missing: readonly string[];
      }
    | {
        readonly kind: "invalid_request";
        readonly provider: string;
        readonly input: string;
        readonly fault: LookupValueFault;
      }
    /** Static material alone, or static material and lookups whose outcomes are awaited. */
    | { readonly kind: "evaluated"; readonly lookups: readonly PlannedLookup[] }
  );

/** The first half of a turn: pure, made from the build and the request alone. */
export interface TurnPlan {
  readonly profile: Profile;
  readonly request: TurnRequest;
  /** In order of selection: priority, then as the profile lists them. */
  readonly layers: readonly PlannedLayer[];
  /** Every call to make, each once. A provider's answer never adds one. */
  readonly lookups: readonly PlannedLookup[];
}
