/** A profile that only recalls, as its owner writes it. */
export const PROVIDER_ONLY = {
  schema_version: "decision_context_profile_v0",
  goal_id: "g1",
  enabled: true,
  enabled_agents: ["a1"],
  source_provider_bindings: [] as object[],
  sources: [] as object[],
  context_provider: {
    provider: "extension",
    namespace: "peer-session",
    max_results: 4,
    timeout_seconds: 10,
    config: { extension_id: "loopx-obelisk" },
  } as object | null,
  automation: { automatic_capture: false, fail_open: true },
};

/** One local file as the authority. */
export const AUTHORITY = {
  source_id: "source:authority",
  provider_id: "local-authority",
  source_kind: "document",
  priority: "p0",
  evidence_level: "s3",
  objectives: ["goal"],
  scan_mode: "incremental",
  exact_read_policy: "always",
  freshness_seconds: 604_800,
  private_locator: "/nowhere/authority.md",
};

export const LOCAL_BINDING = { provider_id: "local-authority", adapter: "local-file" };

/** The same with a source. */
export const WITH_SOURCE = { ...PROVIDER_ONLY, source_provider_bindings: [LOCAL_BINDING], sources: [AUTHORITY] };
