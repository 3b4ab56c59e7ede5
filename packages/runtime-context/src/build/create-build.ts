import { LoopxError, sha256Hex, toCanonicalJson } from "@loopx/contracts";
import type { ContextProject, Layer, ProviderRequirement } from "../project/context-project.ts";
import {
  BUILD_CONTRACT,
  type BuildManifest,
  type ContextBuild,
  type ResolvedEntry,
  type UnpinnedEntry,
} from "./context-build.ts";

/** What of a project goes into a build. Tests and their fixtures don't: changing one must not change what runs. */
export type BuildSource = Omit<ContextProject, "contract" | "tests">;

/**
 * The build of a project: every text and file pinned by the digest of its bytes, every provider listed as unpinned.
 *
 * Pure: equal sources give equal bytes on any machine. `files` holds the text of every file that a layer names, by
 * project-relative path; one that is missing is refused with `file_not_readable`.
 */
export function createBuild(project: BuildSource, files: ReadonlyMap<string, string>): ContextBuild {
  const blobs = new Map<string, string>();
  const resolved = project.layers.flatMap((layer) => resolveLayer(layer, files, blobs));
  // In canonical order, here and below: so the engine renders it.
  const manifest: BuildManifest = {
    consumers: project.consumers,
    contract: BUILD_CONTRACT,
    layers: project.layers,
    objectives: project.objectives,
    profiles: project.profiles,
    project: { id: project.id, version: project.version },
    providers: project.providers,
    resolved,
    unpinned: project.providers.map((provider) => toUnpinned(provider, project.layers)),
  };
  return { digest: digestOfManifest(renderManifest(manifest)), manifest, blobs };
}

/** The bytes of `manifest.json`. */
export function renderManifest(manifest: BuildManifest): string {
  return toCanonicalJson(manifest);
}

/** A build's digest is that of its manifest's bytes, which hold the digest of everything else. */
export function digestOfManifest(rendered: string): string {
  return `sha256:${sha256Hex(rendered)}`;
}

function resolveLayer(
  layer: Layer,
  files: ReadonlyMap<string, string>,
  blobs: Map<string, string>,
): readonly ResolvedEntry[] {
  return layer.bindings.flatMap((binding, index) => {
    if (binding.kind === "provider") return [];
    const text = binding.kind === "text" ? binding.text : files.get(binding.path);
    const path = binding.kind === "text" ? null : binding.path;
    if (text === undefined) throw missingFile(layer.id, path ?? "");
    const sha256 = sha256Hex(text);
    blobs.set(sha256, text);
    const kind = path === null ? ("TEXT" as const) : ("FILE" as const);
    return [{ binding: index, bytes: Buffer.byteLength(text), kind, layer: layer.id, path, sha256 }];
  });
}

function missingFile(layer: string, path: string): LoopxError {
  return new LoopxError("file_not_readable", {
    message: `layer ${layer} names ${path}, which was not given`,
    details: { layer, path },
  });
}

function toUnpinned({ id, lookup, maxItems }: ProviderRequirement, layers: readonly Layer[]): UnpinnedEntry {
  const bound = layers.filter(({ bindings }) =>
    bindings.some((binding) => binding.kind === "provider" && binding.provider === id),
  );
  return {
    contract: "context-provider.v1",
    kind: "RUNTIME_PROVIDER",
    layers: bound.map((layer) => layer.id),
    lookup,
    maxItems,
    provider: id,
  };
}
