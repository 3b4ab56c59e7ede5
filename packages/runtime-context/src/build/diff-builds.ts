import { cutRedacted, toCanonicalJson } from "@loopx/contracts";
import type { Profile } from "../project/context-project.ts";
import type { BuildManifest, ContextBuild } from "./context-build.ts";

export type DiffKind = "project" | "objective" | "consumer" | "profile" | "layer" | "provider";

/** One difference between two builds, by kind and id. */
export interface BuildDifference {
  readonly kind: DiffKind;
  /** Null for the order of a whole kind. */
  readonly id: string | null;
  readonly change: "added" | "removed" | "changed" | "reordered";
  /** Of `changed`: which parts, with both values as JSON, long ones cut. */
  readonly fields: readonly FieldDifference[];
  /** A sentence for people. */
  readonly says: string;
}

export interface FieldDifference {
  /** `lookup.pattern`, `layers.account-facts.rule`, `bindings.0`. */
  readonly field: string;
  /** Null where it wasn't there. */
  readonly before: string | null;
  readonly after: string | null;
}

const KINDS = [
  ["objective", "objectives"],
  ["consumer", "consumers"],
  ["profile", "profiles"],
  ["layer", "layers"],
  ["provider", "providers"],
] as const;

/** What changes for a turn when build `after` takes the place of `before`. Empty exactly when they are the same build. */
export function diffBuilds(before: ContextBuild, after: ContextBuild): readonly BuildDifference[] {
  if (before.digest === after.digest) return [];
  const project = diffEntry("project", before.manifest.project, after.manifest.project);
  return [
    ...project,
    ...KINDS.flatMap(([kind, key]) =>
      diffKind(kind, withMaterial(before.manifest, key), withMaterial(after.manifest, key)),
    ),
  ];
}

interface Entry {
  readonly id: string;
}

/** A layer's files are part of it: other bytes behind the same path change it. */
function withMaterial(manifest: BuildManifest, key: (typeof KINDS)[number][1]): readonly Entry[] {
  if (key === "profiles") return manifest.profiles.map(toComparableProfile);
  if (key !== "layers") return manifest[key];
  const content = new Map<string, Record<string, string>>();
  for (const { kind, layer, path, sha256 } of manifest.resolved) {
    if (kind === "FILE") content.set(layer, { ...content.get(layer), [path ?? ""]: `sha256:${sha256.slice(0, 12)}…` });
  }
  return manifest.layers.map((layer) => ({ ...layer, content: content.get(layer.id) ?? {} }));
}

/** Rules are told by layer, not by position; what the position decides is said on its own. */
function toComparableProfile({ layers, ...profile }: Profile): Entry {
  const rules = Object.fromEntries(layers.map((rule) => [rule.layer, rule]));
  const comparable = { ...profile, layers: rules, order: layers.map(({ layer }) => layer).join(" ") };
  return comparable;
}
function diffKind(kind: DiffKind, before: readonly Entry[], after: readonly Entry[]): readonly BuildDifference[] {
  const old = new Map(before.map((entry) => [entry.id, entry]));
  const fresh = new Map(after.map((entry) => [entry.id, entry]));
  const removed = before.filter(({ id }) => !fresh.has(id)).map(({ id }) => toDifference(kind, id, "removed"));
  const added = after.filter(({ id }) => !old.has(id)).map(({ id }) => toDifference(kind, id, "added"));
  const changed = after.flatMap((entry) => {
    const previous = old.get(entry.id);
    return previous === undefined ? [] : diffEntry(kind, previous, entry);
  });
  return [...removed, ...added, ...changed, ...diffOrder(kind, [...old.keys()], [...fresh.keys()])];
}

function diffOrder(kind: DiffKind, before: readonly string[], after: readonly string[]): readonly BuildDifference[] {
  const [old, fresh] = [new Set(before), new Set(after)];
  const kept = before.filter((id) => fresh.has(id));
  const isSame = after.filter((id) => old.has(id)).every((id, index) => id === kept[index]);
  return isSame
    ? []
    : [{ kind, id: null, change: "reordered", fields: [], says: `the ${kind}s stand in another order` }];
}

function diffEntry(kind: DiffKind, before: Entry, after: Entry): readonly BuildDifference[] {
  const fields = diffFields(before, after, []);
  if (fields.length === 0) return [];
  const says = `${kind} ${after.id} changed: ${fields.map(sayField).join("; ")}`;
  return [{ kind, id: after.id, change: "changed", fields, says }];
}

function toDifference(kind: DiffKind, id: string, change: "added" | "removed"): BuildDifference {
  return { kind, id, change, fields: [], says: `${kind} ${id} was ${change}` };
}

function diffFields(before: unknown, after: unknown, path: readonly string[]): readonly FieldDifference[] {
  if (isObject(before) && isObject(after) && Array.isArray(before) === Array.isArray(after)) {
    const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
    return [...keys].flatMap((key) => diffFields(before[key], after[key], [...path, key]));
  }
  if (before === after) return [];
  return [{ field: path.join("."), before: show(before), after: show(after) }];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

const SHOWN_VALUE = 80;

function show(value: unknown): string | null {
  if (value === undefined) return null;
  const { text, isTruncated } = cutRedacted(toCanonicalJson(value), SHOWN_VALUE);
  return isTruncated ? `${text}…` : text;
}

function sayField({ field, before, after }: FieldDifference): string {
  if (before === null) return `${field} is new: ${after}`;
  return after === null ? `${field} is gone` : `${field} from ${before} to ${after}`;
}
