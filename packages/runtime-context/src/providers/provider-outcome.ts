import type { Currentness } from "../project/context-project.ts";
import type { CircuitState } from "./circuit.ts";

/** Every status of a lookup (seed 004, Bounds and safety). */
export const PROVIDER_STATUSES = [
  "OK",
  "NOT_FOUND",
  "TIMEOUT",
  "UNAVAILABLE",
  "LIMIT_EXCEEDED",
  "INVALID_RESPONSE",
  "SECRET_DETECTED",
  "INCOMPATIBLE",
  "NOT_BOUND",
  "INVALID_REQUEST",
  "NOT_EVALUATED",
] as const;

export type ProviderStatus = (typeof PROVIDER_STATUSES)[number];

/** One record as a provider answered it, validated and bounded. */
export interface ProviderItem {
  readonly id: string;
  readonly title: string | null;
  readonly content: string;
  readonly metadata: Readonly<Record<string, string | number | boolean | null>>;
  /** As sent: an RFC 3339 date or date-time. */
  readonly updatedAt: string | null;
}

/**
 * Where an answer was refused. Pointers name positions and fields of the contract; of a provider's own words only the plain
 * name of a field that the contract doesn't know.
 */
export interface AnswerFinding {
  /** JSON pointer into the answer. */
  readonly pointer: string;
  /** Of a secret: the id of the rule that found it; never the match, its beginning or its length. */
  readonly rule: string | null;
}

/** What became of one lookup. Items only with `OK`. */
export interface ProviderOutcome {
  readonly status: ProviderStatus;
  /** Why, as a stable upper-case word such as `REDIRECT`, `AUTH_REFUSED`; null where the status says it all. */
  readonly reason: string | null;
  readonly items: readonly ProviderItem[];
  readonly currentness: Currentness;
  readonly revision: string | null;
  readonly version: string | null;
  readonly versionSource: "response" | "describe" | "binding" | null;
  readonly providerType: "http" | "sqlite" | "fixture" | null;
  readonly observedAt: string;
  readonly durationMs: number;
  readonly attempts: number;
  /** Left out where no place in an answer is to blame. */
  readonly finding?: AnswerFinding;
}

/** A lookup that the kernel allowed. The value is the only thing of the request that a provider ever sees. */
export interface ProviderLookup {
  readonly provider: string;
  readonly key: string;
  readonly value: string;
  readonly limit: number;
}

/** Carries out lookups. One implementation a provider type; never throws for what a provider does. */
export interface ProviderClient {
  lookup(lookup: ProviderLookup, deadline: { readonly remainingMs: number }): Promise<ProviderOutcome>;
  /** Readiness probe: the same contract and credential, no request data. */
  describe(): Promise<DescribeOutcome>;
  /** While open, lookups are UNAVAILABLE, reason CIRCUIT_OPEN, without a call. `describe` is asked whatever it is. */
  readonly circuit: CircuitState;
  close(): Promise<void>;
}

export interface DescribeOutcome {
  readonly isReady: boolean;
  readonly status: ProviderStatus;
  readonly reason: string | null;
  readonly version: string | null;
  readonly observedAt: string;
  readonly finding?: AnswerFinding;
}
