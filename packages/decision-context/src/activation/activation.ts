import type { Digest } from "@loopx/contracts";
import type { Problem } from "../documents/field-rule.ts";
import { EXTENSION_PROVIDER, type Profile } from "../profile/profile.ts";

/** What became of `--profile`: not given, not usable, or read. */
export type LoadedProfile =
  | { readonly kind: "none" }
  | { readonly kind: "invalid"; readonly problems: readonly Problem[] }
  | { readonly kind: "read"; readonly profile: Profile; readonly digest: Digest };

export type ActivationStatus =
  | "disabled"
  | "profile_invalid"
  | "agent_not_enabled"
  | "provider_unavailable"
  | "available";

/** Whether decision context is on for one agent of one goal, `decision_context_activation_status_v0`. Nothing private is in it. */
export interface Activation {
  readonly ok: true;
  readonly schema_version: "decision_context_activation_status_v0";
  readonly capability_id: "decision_context";
  readonly scope: "goal";
  readonly default_enabled: false;
  readonly goal_id: string;
  readonly agent_id: string;
  readonly profile_configured: boolean;
  readonly enabled: boolean;
  readonly configured_for_agent: boolean;
  readonly available: boolean;
  readonly source_count: number;
  readonly source_provider_count: number;
  readonly runtime_bound_provider_count: number;
  readonly context_provider_configured: boolean;
  readonly automatic_capture: false;
  readonly fail_open: true;
  readonly external_writes_performed: false;
  readonly raw_content_captured: false;
  readonly private_locator_captured: false;
  readonly credentials_captured: false;
  readonly status: ActivationStatus;
  readonly reason_code: string | null;
  readonly source_providers?: readonly SourceProviderState[];
  readonly unavailable_adapter_count?: number;
}

interface SourceProviderState {
  /** The adapter's name, or `unregistered`. */
  readonly adapter: string;
  readonly adapter_registered: boolean;
  readonly runtime_bound: boolean;
  readonly private_config_captured: false;
}

export interface ActivationQuery {
  readonly goalId: string;
  readonly agentId: string;
  /** The source adapters that this program has. */
  readonly adapters: readonly string[];
}

/** An activation, and the profile where the agent may use it: the gate of everything that reads a source or recalls. */
export interface ResolvedActivation {
  readonly activation: Activation;
  /** Null unless the profile is valid, of this goal, enabled, and names the agent. */
  readonly profile: Profile | null;
}

/** Decides whether an agent of a goal may use decision context. First reason wins. */
export function decideActivation(loaded: LoadedProfile, query: ActivationQuery): ResolvedActivation {
  const blank = toBlank(loaded, query);
  const no = (status: ActivationStatus, reason_code: string | null = null): ResolvedActivation => ({
    activation: { ...blank, status, reason_code },
    profile: null,
  });
  if (loaded.kind === "none") return no("disabled");
  if (loaded.kind === "invalid") return no("profile_invalid", "profile_unavailable_or_invalid");
  const { profile } = loaded;
  if (profile.goal_id !== query.goalId) return no("profile_invalid", "goal_scope_mismatch");
  const described = { ...blank, ...describeProfile(profile, query) };
  if (!profile.enabled) return { activation: { ...described, status: "disabled" }, profile: null };
  if (!described.configured_for_agent) {
    return { activation: { ...described, status: "agent_not_enabled" }, profile: null };
  }
  const missing = profile.source_provider_bindings.filter(({ adapter }) => !query.adapters.includes(adapter));
  if (missing.length > 0) {
    const reason_code = "source_provider_adapter_unavailable";
    const unavailable_adapter_count = missing.length;
    return {
      activation: { ...described, status: "provider_unavailable", reason_code, unavailable_adapter_count },
      profile,
    };
  }
  return { activation: { ...described, status: "available", available: true }, profile };
}

function toBlank(loaded: LoadedProfile, { goalId, agentId }: ActivationQuery): Activation {
  return {
    ok: true,
    schema_version: "decision_context_activation_status_v0",
    capability_id: "decision_context",
    scope: "goal",
    default_enabled: false,
    goal_id: goalId,
    agent_id: agentId,
    profile_configured: loaded.kind !== "none",
    enabled: false,
    configured_for_agent: false,
    available: false,
    source_count: 0,
    source_provider_count: 0,
    runtime_bound_provider_count: 0,
    context_provider_configured: false,
    automatic_capture: false,
    fail_open: true,
    external_writes_performed: false,
    raw_content_captured: false,
    private_locator_captured: false,
    credentials_captured: false,
    status: "disabled",
    reason_code: null,
  };
}

function describeProfile(profile: Profile, { agentId, adapters }: ActivationQuery): Partial<Activation> {
  return {
    enabled: profile.enabled,
    configured_for_agent: profile.enabled && profile.enabled_agents.includes(agentId),
    source_count: profile.sources.length,
    source_provider_count: profile.source_provider_bindings.length,
    context_provider_configured: profile.context_provider !== null,
    source_providers: profile.source_provider_bindings.map(({ adapter }) => {
      const isKnown = adapters.includes(adapter);
      return {
        adapter: isKnown ? adapter : "unregistered",
        adapter_registered: isKnown,
        runtime_bound: false,
        private_config_captured: false,
      };
    }),
  };
}

/** Whether recall is asked of an installed extension; another provider's name is a setting that no program of ours knows. */
export function isExtensionProvider({ provider }: { readonly provider: string }): boolean {
  return provider === EXTENSION_PROVIDER;
}
