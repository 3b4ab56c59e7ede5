import { LoopxError } from "@loopx/contracts";
import type { BuildManifest, ContextBuild } from "../build/context-build.ts";
import type { Layer, LayerRule, Profile, ProviderRequirement } from "../project/context-project.ts";

/** What turns look up in a build, by name. */
export interface BuildIndex {
  readonly profiles: ReadonlyMap<string, IndexedProfile>;
  readonly objectives: ReadonlySet<string>;
  readonly consumers: ReadonlySet<string>;
  readonly providers: ReadonlyMap<string, ProviderRequirement>;
  /** The text of a FILE binding. Throws `internal` for one that the build lacks. */
  readonly loadFileText: (layer: string, binding: number) => string;
}

export interface IndexedProfile {
  readonly profile: Profile;
  /** In order of selection: priority, then as the profile lists them. */
  readonly entries: readonly { readonly layer: Layer; readonly rule: LayerRule }[];
}

// Builds are immutable, so one index serves every turn of a build and goes with it.
const indexes = new WeakMap<BuildManifest, BuildIndex>();

/** The index of a build, made on first use. */
export function indexBuild(build: ContextBuild): BuildIndex {
  const known = indexes.get(build.manifest);
  if (known !== undefined) return known;
  const index = createIndex(build);
  indexes.set(build.manifest, index);
  return index;
}

function createIndex({ manifest, blobs }: ContextBuild): BuildIndex {
  const layers = new Map(manifest.layers.map((layer) => [layer.id, layer]));
  const files = new Map(
    manifest.resolved.map((entry) => [toFileKey(entry.layer, entry.binding), entry.sha256.replace(/^sha256:/, "")]),
  );
  return {
    profiles: new Map(manifest.profiles.map((profile) => [profile.id, indexProfile(profile, layers)])),
    objectives: new Set(manifest.objectives.map(({ id }) => id)),
    consumers: new Set(manifest.consumers.map(({ id }) => id)),
    providers: new Map(manifest.providers.map((provider) => [provider.id, provider])),
    loadFileText: (layer, binding) => {
      const text = blobs.get(files.get(toFileKey(layer, binding)) ?? "");
      if (text === undefined) throw toIncompleteError(`the material of layer ${layer}`);
      return text;
    },
  };
}

function indexProfile(profile: Profile, layers: ReadonlyMap<string, Layer>): IndexedProfile {
  const entries = profile.layers.map((rule) => {
    const layer = layers.get(rule.layer);
    if (layer === undefined) throw toIncompleteError(`layer ${rule.layer}`);
    return { layer, rule };
  });
  return { profile, entries: entries.toSorted((left, right) => left.rule.priority - right.rule.priority) };
}

/** A verified build holds everything that it names, so this is a fault of the program. */
export function toIncompleteError(what: string): LoopxError {
  return new LoopxError("internal", { message: `the build names ${what} and does not hold it` });
}

function toFileKey(layer: string, binding: number): string {
  return `${layer}\n${binding}`;
}
