import type { Instant } from "@loopx/contracts";
import type { Retention } from "../binding/deployment-binding.ts";
import type { KeyedDigest } from "../keys/key-ring.ts";
import type { BlockReason, LayerResult, SelectionRecord, TurnOutcome } from "../kernel/turn-result.ts";
import type { Currentness } from "../project/context-project.ts";
import type { ProviderOutcome, ProviderStatus } from "../providers/provider-outcome.ts";

export const TRACE_CONTRACT = "context.trace.v1";
export const PROVENANCE_CONTRACT = "context.provider.v1";

/** Where a provider's facts came from (seed 004, Provenance in traces). Names, digests and times: never a value. */
export interface ProviderProvenance {
  readonly schema: typeof PROVENANCE_CONTRACT;
  readonly provider: string;
  /** The wire contract that was spoken. */
  readonly contract: "context-provider.v1";
  readonly status: ProviderStatus;
  readonly reason: string | null;
  /** JSON pointer to the place in the answer that was refused, or null. Traces of earlier versions don't have it. */
  readonly pointer?: string | null;
  /** Both null without a Deployment Binding: fixtures. */
  readonly bindingRevision: string | null;
  readonly bindingDigest: string | null;
  readonly providerType: ProviderOutcome["providerType"];
  readonly version: string | null;
  readonly versionSource: ProviderOutcome["versionSource"];
  /** Over the request as it is sent. Null where the value was refused: it may be a secret. */
  readonly requestDigest: KeyedDigest | null;
  /** Name of the lookup input. */
  readonly key: string;
  readonly observedAt: Instant | null;
  readonly revision: string | null;
  readonly currentness: Currentness | null;
  readonly itemLocators: readonly string[];
  readonly itemFingerprints: readonly KeyedDigest[];
  /** Over all items in order, as answered. Null without an answer. */
  readonly materialDigest: KeyedDigest | null;
  /** Whole milliseconds. */
  readonly durationMs: number;
  readonly attempts: number;
  readonly retention: Retention;
  /** Whether the items are kept, encrypted, beside the trace. */
  readonly contentRetained: boolean;
  /** When what was kept was removed; only in what is shown of a trace, never in what was written. */
  readonly contentPurgedAt?: Instant;
  /** Which of `revision`, `version` the provider sent and the trace doesn't show: they held request data, a record or a secret. */
  readonly withheld: readonly ("revision" | "version")[];
}

/** The record of one turn, as it is stored and served. */
export interface ContextTrace {
  readonly contract: typeof TRACE_CONTRACT;
  readonly id: string;
  /** When the turn began. */
  readonly at: Instant;
  readonly durationMs: number;
  readonly deployment: string;
  readonly project: { readonly id: string; readonly version: string };
  readonly buildDigest: string;
  /** The key of every keyed digest in it, and of the fence. */
  readonly keyId: string;
  readonly objective: string;
  readonly consumer: string;
  readonly profile: string;
  /** Names of the inputs that the build declares and the request gave with at least one character. */
  readonly inputs: readonly string[];
  readonly outcome: TurnOutcome;
  readonly layers: readonly TracedLayer[];
  readonly selection: readonly SelectionRecord[];
  readonly unknowns: readonly TracedFact[];
  readonly blockedBy: readonly TracedFact[];
  readonly budget: { readonly bytes: number; readonly used: number };
  readonly sanitizedCount: number;
  readonly renderedDigest: KeyedDigest;
  readonly providers: readonly ProviderProvenance[];
}

/** What a provider said is in its provenance. */
export type TracedLayer = Omit<LayerResult, "providerReason" | "providerPointer">;

export type TracedFact = Omit<BlockReason, "says">;
