// What the context screens ask the server, and what it answers: types alone, in snake_case, as in packets.

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
