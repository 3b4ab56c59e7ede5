import { LoopxError } from "@loopx/contracts";
import type { BuildManifest, ContextBuild } from "../build/context-build.ts";
import type { Layer, LayerRule, Profile, ProviderRequirement } from "../project/context-project.ts";
import type { LayerMaterial, Material } from "../rendering/render-material.ts";
import { markSettled } from "./settled-part.ts";

/** What turns look up in a build, by name. */
export interface BuildIndex {
  readonly profiles: ReadonlyMap<string, IndexedProfile>;
  readonly objectives: ReadonlySet<string>;
  readonly consumers: ReadonlySet<string>;
  readonly providers: ReadonlyMap<string, ProviderRequirement>;
  /** Names of the inputs that a layer or a provider asks for. */
  readonly inputs: ReadonlySet<string>;
}

export interface IndexedProfile {
  readonly profile: Profile;
  /** In order of selection: priority, then as the profile lists them. */
  readonly entries: readonly IndexedEntry[];
}

export interface IndexedEntry {
  readonly layer: IndexedLayer;
  readonly rule: LayerRule;
}

/** A layer with what follows from the build alone. */
export interface IndexedLayer extends Layer {
  /** Those it is bound to, in the order of its bindings. */
  readonly providers: readonly ProviderRequirement[];
  /** What it needs before anything of it is looked at: its own inputs, then its providers'. */
  readonly inputs: readonly string[];
  /** The project's own text in it, by the place of its binding. */
  readonly texts: ReadonlyMap<number, Material>;
  /** The whole of a layer that no provider has a part in; null of every other. */
  readonly material: LayerMaterial | null;
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

function createIndex(build: ContextBuild): BuildIndex {
  const { manifest } = build;
  const providers = new Map(manifest.providers.map((provider) => [provider.id, provider]));
  const loadFileText = createFileLoader(build);
  const layers = new Map(manifest.layers.map((layer) => [layer.id, indexLayer(layer, providers, loadFileText)]));
  return {
    profiles: new Map(manifest.profiles.map((profile) => [profile.id, indexProfile(profile, layers)])),
    objectives: new Set(manifest.objectives.map(({ id }) => id)),
    consumers: new Set(manifest.consumers.map(({ id }) => id)),
    providers,
    inputs: new Set([
      ...manifest.layers.flatMap(({ requiresInput }) => requiresInput),
      ...manifest.providers.map(({ lookup }) => lookup.input),
    ]),
  };
}

type LoadFileText = (layer: string, binding: number) => string;

/** The text of a FILE binding. Throws `internal` for one that the build lacks. */
function createFileLoader({ manifest, blobs }: ContextBuild): LoadFileText {
  const files = new Map(
    manifest.resolved.map((entry) => [toFileKey(entry.layer, entry.binding), entry.sha256.replace(/^sha256:/, "")]),
  );
  return (layer, binding) => {
    const text = blobs.get(files.get(toFileKey(layer, binding)) ?? "");
    if (text === undefined) throw toIncompleteError(`the material of layer ${layer}`);
    return text;
  };
}

function indexLayer(
  layer: Layer,
  providers: ReadonlyMap<string, ProviderRequirement>,
  loadFileText: LoadFileText,
): IndexedLayer {
  const { id, name, metadata, bindings, requiresInput } = layer;
  const texts = new Map<number, Material>();
  const bound: ProviderRequirement[] = [];
  for (const [index, binding] of bindings.entries()) {
    if (binding.kind === "provider") bound.push(loadProvider(binding.provider, providers));
    else {
      const text = binding.kind === "text" ? binding.text : loadFileText(id, index);
      texts.set(index, { kind: "static", index, text });
    }
  }
  return {
    ...layer,
    providers: bound,
    inputs: [...new Set([...requiresInput, ...bound.map(({ lookup }) => lookup.input)])],
    texts,
    material: bound.length === 0 ? { layer: id, name, metadata, pieces: [...texts.values()] } : null,
  };
}

function loadProvider(id: string, providers: ReadonlyMap<string, ProviderRequirement>): ProviderRequirement {
  const requirement = providers.get(id);
  if (requirement === undefined) throw toIncompleteError(`provider ${id}`);
  return requirement;
}

function indexProfile(profile: Profile, layers: ReadonlyMap<string, IndexedLayer>): IndexedProfile {
  const entries = profile.layers.map((rule) => {
    const layer = layers.get(rule.layer);
    if (layer === undefined) throw toIncompleteError(`layer ${rule.layer}`);
    return markSettled({ layer, rule });
  });
  return { profile, entries: entries.toSorted((left, right) => left.rule.priority - right.rule.priority) };
}

/** A verified build holds everything that it names, so this is a fault of the program. */
function toIncompleteError(what: string): LoopxError {
  return new LoopxError("internal", { message: `the build names ${what} and does not hold it` });
}

function toFileKey(layer: string, binding: number): string {
  return `${layer}\n${binding}`;
}
