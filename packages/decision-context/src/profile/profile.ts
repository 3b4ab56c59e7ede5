/** Scan bounds and privacy of one authority source. */
export interface ProfileSource {
  readonly source_id: string;
  readonly provider_id: string;
  readonly source_kind: "artifact" | "conversation" | "document" | "external_signal" | "person" | "repository";
  readonly priority: "p0" | "p1" | "p2";
  readonly evidence_level: "s0" | "s1" | "s2" | "s3" | "s4";
  readonly objectives: readonly string[];
  readonly scan_mode: "incremental" | "snapshot" | "on_demand";
  readonly exact_read_policy: "always" | "material_change" | "never";
  readonly freshness_seconds: number;
  /** Where the provider finds it. Never leaves the process. */
  readonly private_locator: string;
  readonly max_changes: number;
  readonly enabled: boolean;
}

/** Names one source adapter and gives it its settings. */
export interface SourceProviderBinding {
  readonly provider_id: string;
  readonly adapter: string;
  readonly config: Readonly<Record<string, unknown>>;
}

/** What a recall may ask, of whom, and within which bounds. */
export interface ContextProviderSettings {
  readonly provider: string;
  readonly namespace: string;
  /** Of an evidence assembly; a one-off recall brings its own. */
  readonly scope_ref: string | null;
  readonly max_results: number;
  readonly timeout_seconds: number;
  readonly config: { readonly extension_id: string | null };
}

/** A goal's private settings of decision context, `decision_context_profile_v0`. LoopX reads it and never changes it. */
export interface Profile {
  readonly schema_version: typeof PROFILE_SCHEMA;
  readonly goal_id: string;
  readonly enabled: boolean;
  readonly enabled_agents: readonly string[];
  readonly source_provider_bindings: readonly SourceProviderBinding[];
  readonly sources: readonly ProfileSource[];
  readonly context_provider: ContextProviderSettings | null;
  readonly automation: { readonly automatic_capture: false; readonly fail_open: true };
}

export const PROFILE_SCHEMA = "decision_context_profile_v0";

/** Recall through an installed extension; no other provider is built in. */
export const EXTENSION_PROVIDER = "extension";

/** The longest namespace and scope that a recall request holds; the profile has the same bounds. */
export const NAMESPACE_MAX = 120;
export const SCOPE_MAX = 2048;
/** Most items of one recall, and the bounds of its timeout in seconds (seed 000). */
export const MAX_RESULTS = 8;
export const TIMEOUT_MIN_S = 1;
export const TIMEOUT_MAX_S = 120;
