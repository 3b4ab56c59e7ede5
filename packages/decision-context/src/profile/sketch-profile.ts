import { PROFILE_SCHEMA, type Profile } from "./profile.ts";

/** What a new profile is made for. */
export interface ProfileSketch {
  readonly goalId: string;
  readonly agentIds: readonly string[];
  /** The recall extension; null leaves it to the only one that is ready. */
  readonly extensionId: string | null;
  /** A file to watch as the authority, or null for a profile that only recalls. */
  readonly sourceFile: string | null;
}

/** A valid profile to begin with: recall through an extension, and one local file as authority where one is named. */
export function sketchProfile({ goalId, agentIds, extensionId, sourceFile }: ProfileSketch): Profile {
  return {
    schema_version: PROFILE_SCHEMA,
    goal_id: goalId,
    enabled: true,
    enabled_agents: [...new Set(agentIds)].toSorted(),
    source_provider_bindings:
      sourceFile === null ? [] : [{ provider_id: "local-authority", adapter: "local-file", config: {} }],
    sources:
      sourceFile === null
        ? []
        : [
            {
              source_id: "source:authority",
              provider_id: "local-authority",
              source_kind: "document",
              priority: "p0",
              evidence_level: "s3",
              objectives: ["goal"],
              scan_mode: "incremental",
              exact_read_policy: "always",
              freshness_seconds: 604_800,
              private_locator: sourceFile,
              max_changes: 20,
              enabled: true,
            },
          ],
    context_provider: {
      provider: "extension",
      namespace: "peer-session",
      scope_ref: null,
      max_results: 4,
      timeout_seconds: 10,
      config: { extension_id: extensionId },
    },
    automation: { automatic_capture: false, fail_open: true },
  };
}
