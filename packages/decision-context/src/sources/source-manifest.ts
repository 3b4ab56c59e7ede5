import type { Profile, ProfileSource } from "../profile/profile.ts";
import { toPacketRef } from "../fingerprints/references.ts";

type PublicSource = Omit<ProfileSource, "private_locator"> & { readonly private_locator_captured: false };

/** Which sources a goal's decisions rest on, without where they are, `decision_source_manifest_v0`. */
export interface SourceManifest {
  readonly schema_version: "decision_source_manifest_v0";
  readonly capability_id: "decision_context";
  readonly scope: "goal";
  readonly default_enabled: false;
  readonly goal_id: string;
  readonly observed_at: string;
  readonly sources: readonly PublicSource[];
  readonly source_count: number;
  readonly creates_authority: false;
  readonly mutates_core_state: false;
  readonly external_writes_performed: false;
  readonly private_locators_captured: false;
  readonly private_cursors_captured: false;
  readonly manifest_ref: string;
}

export function toSourceManifest({ goal_id, sources }: Profile, observed_at: string): SourceManifest {
  const manifest = {
    schema_version: "decision_source_manifest_v0",
    capability_id: "decision_context",
    scope: "goal",
    default_enabled: false,
    goal_id,
    observed_at,
    sources: sources.map(({ private_locator: _locator, ...shown }) => ({
      ...shown,
      private_locator_captured: false as const,
    })),
    source_count: sources.length,
    creates_authority: false,
    mutates_core_state: false,
    external_writes_performed: false,
    private_locators_captured: false,
    private_cursors_captured: false,
  } as const;
  return { ...manifest, manifest_ref: toPacketRef("decision-source-manifest", manifest) };
}
