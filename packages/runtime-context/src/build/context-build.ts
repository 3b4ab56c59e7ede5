import type { Layer, NamedScope, Profile, ProviderRequirement } from "../project/context-project.ts";

export const BUILD_CONTRACT = "context-build.v1";

/** A piece of static material, pinned by the digest of its bytes. */
export interface ResolvedEntry {
  readonly kind: "FILE" | "TEXT";
  readonly layer: string;
  /** Position among the layer's bindings. */
  readonly binding: number;
  /** Project-relative POSIX path of a FILE. */
  readonly path: string | null;
  readonly sha256: string;
  readonly bytes: number;
}

/** What cannot be pinned: it is fetched per request (seed 004). */
export interface UnpinnedEntry {
  readonly kind: "RUNTIME_PROVIDER";
  readonly provider: string;
  readonly contract: "context-provider.v1";
  readonly lookup: { readonly input: string; readonly pattern: string };
  readonly maxItems: number;
  readonly layers: readonly string[];
}

/** The manifest of a build: no clock, host, absolute path or locale, so equal sources give equal bytes anywhere. */
export interface BuildManifest {
  readonly contract: typeof BUILD_CONTRACT;
  readonly project: { readonly id: string; readonly version: string };
  readonly objectives: readonly NamedScope[];
  readonly consumers: readonly NamedScope[];
  readonly profiles: readonly Profile[];
  readonly layers: readonly Layer[];
  readonly providers: readonly ProviderRequirement[];
  readonly resolved: readonly ResolvedEntry[];
  readonly unpinned: readonly UnpinnedEntry[];
}

/** A build, loaded and verified. */
export interface ContextBuild {
  /** `sha256:` and hex over the manifest's canonical JSON. */
  readonly digest: string;
  readonly manifest: BuildManifest;
  /** Static material by its hex SHA-256. */
  readonly blobs: ReadonlyMap<string, string>;
}
