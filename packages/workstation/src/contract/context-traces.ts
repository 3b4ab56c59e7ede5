// What the trace screens ask the server, and what it answers. A whole trace keeps the spelling of its own contract.
import type { ContextOutcome } from "./context.ts";

/**
 * `POST /api/context/places/:place/traces/search` takes this: the search of `loopx context traces list`. It is no GET, since a
 * lookup value must not stand in a URL.
 */
export interface ContextTraceSearch {
  readonly outcome?: string;
  readonly provider?: string;
  readonly providerStatus?: string;
  readonly layer?: string;
  readonly objective?: string;
  readonly consumer?: string;
  readonly since?: string;
  readonly until?: string;
  /** `KEY=VALUE`; needs `provider`. */
  readonly input?: string;
  readonly cursor?: string;
  readonly limit?: string;
}

export interface ContextTracesAnswer {
  readonly ok: true;
  /** Latest first. */
  readonly traces: readonly ContextTraceRow[];
  /** Null on the last page. */
  readonly next_cursor: string | null;
}

export interface ContextTraceRow {
  readonly trace_id: string;
  readonly at: string;
  readonly objective: string;
  readonly consumer: string;
  readonly profile: string;
  readonly outcome: ContextOutcome;
  readonly duration_ms: number;
  readonly providers: readonly {
    readonly provider: string;
    readonly status: string;
    readonly reason: string | null;
  }[];
}

/** `GET /api/context/traces/:traceId`, with `place` as a parameter where it is known. */
export interface ContextTraceAnswer {
  readonly ok: true;
  readonly place: string;
  readonly reading: OutcomeReading;
  readonly trace: ShownTrace;
}

/** Why a turn came out as it did, in sentences. */
export interface OutcomeReading {
  readonly says: string;
  readonly because: readonly ReadingCause[];
}

export interface ReadingCause {
  readonly layer: string;
  readonly provider: string | null;
  /** The word of the runtime, such as `PROVIDER_TIMEOUT`. */
  readonly word: string;
  readonly says: string;
  /** What to look at next; null where nothing is to be mended. */
  readonly next: string | null;
}

/** A trace of `context.trace.v1`. It holds names, keyed digests and times, never a value or content. */
export interface ShownTrace {
  readonly id: string;
  readonly at: string;
  readonly durationMs: number;
  readonly deployment: string;
  readonly project: { readonly id: string; readonly version: string };
  readonly buildDigest: string;
  readonly keyId: string;
  readonly objective: string;
  readonly consumer: string;
  readonly profile: string;
  readonly inputs: readonly string[];
  readonly outcome: ContextOutcome;
  readonly layers: readonly ShownTraceLayer[];
  readonly selection: readonly {
    readonly layer: string;
    readonly material: "static" | "provider";
    readonly provider: string | null;
    readonly index: number;
    readonly isSelected: boolean;
    readonly reason: string | null;
    readonly bytes: number;
  }[];
  readonly budget: { readonly bytes: number; readonly used: number };
  readonly sanitizedCount: number;
  readonly renderedDigest: string;
  readonly providers: readonly ShownProvenance[];
}

export interface ShownTraceLayer {
  readonly layer: string;
  readonly rule: "required" | "optional" | "excluded";
  readonly priority: number;
  readonly state: string;
  readonly reason: string | null;
  readonly provider: string | null;
  readonly providerStatus: string | null;
  readonly currentness: string | null;
  readonly isSelected: boolean;
  readonly notSelectedBecause: string | null;
  readonly bytes: number;
}

export interface ShownProvenance {
  readonly provider: string;
  readonly status: string;
  readonly reason: string | null;
  readonly pointer?: string | null;
  readonly bindingRevision: string | null;
  readonly providerType: string | null;
  readonly version: string | null;
  readonly versionSource: string | null;
  readonly requestDigest: string | null;
  readonly key: string;
  /** When the answer was there: the end of the lookup. */
  readonly observedAt: string | null;
  readonly revision: string | null;
  readonly currentness: string | null;
  readonly itemLocators: readonly string[];
  readonly materialDigest: string | null;
  readonly durationMs: number;
  readonly attempts: number;
  readonly contentRetained: boolean;
  readonly contentPurgedAt?: string;
}

/** `POST /api/context/traces/:traceId/reproduce` takes this. */
export interface ContextReproduceRequest {
  readonly place: string;
}

export interface ContextReproductionAnswer {
  /** Whether it is EXACT. */
  readonly ok: boolean;
  readonly trace_id: string;
  readonly result: "EXACT" | "DIVERGED" | "LIVE_DEPENDENCY_UNAVAILABLE";
  readonly reason?: string;
  /** The reason in a sentence. */
  readonly says?: string;
  readonly provider?: string;
  readonly outcome?: ContextOutcome;
  readonly differences?: readonly {
    readonly part: string;
    readonly layer: string | null;
    readonly recorded: unknown;
    readonly reproduced: unknown;
  }[];
}
