/** The protocol of decision-context's advisory providers, and what an extension needs to speak it (seed 000). */
export const ADVISORY_CAPABILITY = "decision-context";
export const ADVISORY_PROTOCOL = "decision_context_advisory_provider_v0";
export const ADVISORY_PERMISSION = "decision_context.read";

/**
 * A manifest as it was understood: the snapshot whose digest is the revision, with the field names of its file.
 *
 * `provider` says what a manifest alone can say: declared, and nothing of what this machine made of it.
 */
export interface ExtensionManifest {
  readonly provider: {
    readonly id: string;
    readonly origin: "extension";
    readonly declared: true;
    readonly installed: false;
    readonly enabled: false;
    readonly ready: false;
    readonly version: string;
    readonly requires_loopx_api: string;
    readonly permissions: readonly string[];
  };
  readonly runtime: ManifestRuntime;
  readonly implementations: readonly Implementation[];
  readonly capabilities: readonly ProvidedCapability[];
  /** Always empty: LoopX 1.0 has no surface that an extension could fill. */
  readonly presentation_surfaces: readonly never[];
  readonly documentation: Documentation | null;
}

/** How the extension's one program is started. */
export interface ManifestRuntime {
  readonly protocol: string;
  /** As written: a path, absolute or relative to the manifest's folder, or a name for PATH. */
  readonly entrypoint: string;
  readonly args: readonly string[];
  readonly doctor_args: readonly string[];
  readonly required_permissions: readonly string[];
  readonly timeout_seconds: number;
}

export interface Implementation {
  readonly capability_id: string;
  readonly protocol: string;
  readonly provider_id: string;
  readonly provider_version: string;
}

export interface ProvidedCapability {
  readonly id: string;
  readonly capability_kind: string;
  readonly title: string;
  readonly status: string;
  readonly visibility: "public" | "internal";
  readonly user_value: string;
  readonly next_real_step: string;
  readonly real_world_anchor: string | null;
  readonly entry_command: string | null;
  readonly origin: "extension";
  readonly provider_id: string;
  readonly provider_version: string;
}

export interface Documentation {
  readonly source_root: string;
  readonly site_root: string;
  readonly canonical: string;
  readonly aliases: readonly { readonly source: string; readonly site: string }[];
}
