// What the context screens ask the server, and what it answers: types alone. A whole trace keeps the spelling of its own
// contract, everything else is snake_case, as in packets.

/** `GET /api/context/places`: every Context Project that the Workstation knows of. */
export interface ContextPlacesAnswer {
  readonly ok: true;
  readonly places: readonly ContextPlaceRow[];
  /** Projects of this machine whose attachments could not be read or aren't trusted. */
  readonly unread: readonly { readonly label: string; readonly code: string }[];
}

/** One Context Project with the binding and the traces that go with it. */
export interface ContextPlaceRow {
  /** Stable as long as its folder, binding and traces are. */
  readonly place: string;
  readonly label: string;
  /** Null where the project can't be read now. */
  readonly version: string | null;
  readonly fault: PlaceFault | null;
  readonly has_binding: boolean;
  readonly keeps_traces: boolean;
  readonly attached_to: readonly ContextAttachmentRow[];
  readonly named_at_start: boolean;
}

export interface PlaceFault {
  readonly code: string;
  readonly message: string;
  readonly hint: string | null;
}

export interface ContextAttachmentRow {
  readonly goal_id: string;
  readonly profile: string;
  readonly objective: string;
  readonly consumer: string;
}

/** `GET /api/context/places/:place`, with `objective` and `consumer` as parameters: the project as it stands now. */
export interface ContextProjectAnswer {
  readonly ok: true;
  readonly place: ContextPlaceRow;
  /** Digest of the build that the project makes now. */
  readonly build: string;
  readonly objectives: readonly ContextName[];
  readonly consumers: readonly ContextName[];
  /** What the cells were judged for. */
  readonly asked: { readonly objective: string; readonly consumer: string };
  readonly profiles: readonly ContextProfileRow[];
  readonly layers: readonly ContextLayerRow[];
  readonly cells: readonly ContextCell[];
  readonly providers: readonly ContextProviderRow[];
  readonly tests: readonly ContextTestRow[];
  /** Builds that a regression run can compare, latest name first; `working` is the project as it is now. */
  readonly builds: readonly ContextBuildRow[];
}

export interface ContextName {
  readonly id: string;
  readonly name: string | null;
}

export interface ContextProfileRow extends ContextName {
  readonly budget_bytes: number;
  readonly budget_tokens: number | null;
}

export interface ContextLayerRow {
  readonly id: string;
  readonly name: string;
  readonly sources: readonly { readonly kind: "text" | "file" | "provider"; readonly name: string | null }[];
  /** Null is in scope for all. */
  readonly objectives: readonly string[] | null;
  readonly consumers: readonly string[] | null;
  /** Inputs that a turn must give before anything of it is looked at. */
  readonly needs: readonly string[];
}

/** What a profile makes of a layer, for the objective and the consumer that were asked for. */
export interface ContextCell {
  readonly profile: string;
  readonly layer: string;
  readonly rule: "required" | "optional" | "excluded";
  readonly priority: number;
  readonly accept: readonly string[];
  readonly applies: ContextApplicability;
}

/** In scope, in scope once its inputs are given, or why not. */
export type ContextApplicability =
  | "IN_SCOPE"
  | "NEEDS_INPUT"
  | "EXCLUDED"
  | "OBJECTIVE_OUT_OF_SCOPE"
  | "CONSUMER_OUT_OF_SCOPE";

export interface ContextProviderRow {
  readonly id: string;
  readonly name: string;
  readonly input: string;
  readonly pattern: string;
  readonly max_items: number;
  readonly layers: readonly string[];
}

export interface ContextTestRow extends ContextName {
  readonly objective: string;
  readonly consumer: string;
  readonly profile: string | null;
  readonly inputs: Readonly<Record<string, string>>;
  readonly providers: readonly string[];
}

export interface ContextBuildRow {
  /** `working`, or the name of its folder. */
  readonly build: string;
  readonly is_current: boolean;
}

/** `POST /api/context/places/:place/preview` takes this. */
export interface ContextPreviewRequest {
  readonly objective: string;
  readonly consumer: string;
  readonly profile: string | null;
  readonly inputs: Readonly<Record<string, string>>;
  /** The test whose fixtures are taken where tests differ. */
  readonly test: string | null;
}

export interface ContextPreviewAnswer {
  readonly ok: true;
  readonly outcome: ContextOutcome;
  readonly profile: string;
  readonly layers: readonly ContextTurnLayer[];
  readonly sources: readonly {
    readonly provider: string;
    readonly source: "TEST_FIXTURE" | null;
    readonly tests: readonly string[];
    readonly warning?: { readonly code: string; readonly says: string };
  }[];
  readonly unknowns: readonly ContextFact[];
  readonly blocked_by?: readonly ContextFact[];
  readonly ignored_inputs?: readonly { readonly input: string; readonly says: string }[];
  readonly budget: { readonly bytes: number; readonly used: number };
  readonly sanitized: number;
  /** The text for the agent, whole and in order; empty when BLOCKED. */
  readonly segments: readonly ContextSegment[];
}

export type ContextOutcome = "READY" | "DEGRADED" | "BLOCKED";

export interface ContextTurnLayer {
  readonly layer: string;
  readonly rule: "required" | "optional" | "excluded";
  readonly state: string;
  readonly reason?: string;
  readonly provider?: string;
  readonly provider_status?: string;
  readonly provider_reason?: string;
  readonly currentness?: string;
  readonly selected: boolean;
  readonly not_selected_because?: string;
  readonly bytes: number;
}

export interface ContextFact {
  readonly layer: string;
  readonly provider: string | null;
  readonly reason: string;
  readonly says: string;
}

/** A stretch of rendered text: the project's own, or what stands between the two markers of a fence. */
export type ContextSegment =
  | { readonly kind: "text"; readonly text: string }
  | {
      readonly kind: "fence";
      readonly text: string;
      /** What the opening marker says, such as `["provider", "customer-data"]`, in its order. */
      readonly facts: readonly (readonly [string, string])[];
    };

/** `POST /api/context/places/:place/providers/describe`: nobody is asked before somebody clicks. */
export interface ContextDescribeAnswer {
  /** False where a provider isn't ready: an answer like any other. */
  readonly ok: boolean;
  readonly providers: readonly {
    readonly provider: string;
    readonly type: string | null;
    readonly ready: boolean;
    readonly status: string;
    readonly reason: string | null;
    readonly pointer?: string;
    readonly version: string | null;
  }[];
}

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

/** `POST /api/context/places/:place/tests` takes this and answers lines of JSON, each a `ContextRunLine`. */
export interface ContextTestsRequest {
  /** Words of which a test's id or name contains one; none runs them all. */
  readonly filter: readonly string[];
}

/** `POST /api/context/places/:place/regressions` takes this and answers as the tests do. */
export interface ContextRegressionRequest extends ContextTestsRequest {
  readonly baseline: string;
  readonly candidate: string;
}

/** One line of a run: how far it is, then what came of it or why nothing did. The last line is no progress. */
export type ContextRunLine<Report> =
  | { readonly kind: "progress"; readonly done: number; readonly total: number }
  | { readonly kind: "report"; readonly report: Report }
  | { readonly kind: "error"; readonly error: PlaceFault };

export interface ContextTestsReport {
  readonly verdict: "PASSED" | "FAILED" | "NOT_VERIFIED";
  readonly counts: {
    readonly total: number;
    readonly passed: number;
    readonly failed: number;
    readonly unknown: number;
  };
  /** Those that did not pass, at most 200, then those that did. */
  readonly tests: readonly ContextTestVerdict[];
}

export interface ContextTestVerdict {
  readonly test: string;
  readonly name?: string;
  readonly status: "PASSED" | "FAILED" | "UNKNOWN";
  readonly outcome?: ContextOutcome;
  readonly failures?: readonly TestFailureRow[];
  readonly warnings?: readonly { readonly code: string; readonly says: string }[];
  readonly rendered?: string;
}

export interface TestFailureRow {
  /** JSON pointer into the project. */
  readonly at: string;
  readonly expected: string;
  readonly got: string;
}

export interface ContextRegressionReport {
  readonly verdict: "UNCHANGED" | "CHANGED" | "REGRESSED" | "NOT_VERIFIED";
  readonly counts: {
    readonly total: number;
    readonly unchanged: number;
    readonly changed: number;
    readonly mended: number;
    readonly regressed: number;
    readonly unknown: number;
  };
  /** What differs between the builds themselves. */
  readonly differences: readonly string[];
  /** Those that changed, at most 200. */
  readonly tests: readonly ContextTestChange[];
}

export interface ContextTestChange {
  readonly test: string;
  readonly name?: string;
  readonly status: "UNCHANGED" | "CHANGED" | "MENDED" | "REGRESSED" | "UNKNOWN";
  readonly turn?: readonly FieldChangeRow[];
  readonly layers?: readonly {
    readonly layer: string;
    readonly fields: readonly FieldChangeRow[];
    readonly text?: LineChanges;
    readonly because: readonly string[];
  }[];
  readonly unknowns?: LineChanges | null;
  readonly failures?: readonly TestFailureRow[];
  readonly warnings?: readonly { readonly code: string; readonly says: string }[];
}

export interface FieldChangeRow {
  readonly field: string;
  readonly before: string | null;
  readonly after: string | null;
}

export interface LineChanges {
  readonly removed: readonly string[];
  readonly added: readonly string[];
}
