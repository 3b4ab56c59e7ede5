import type { ContextBuild } from "../build/context-build.ts";
import type { BuildDifference } from "../build/diff-builds.ts";
import { indexBuild } from "../kernel/build-index.ts";
import type { LayerResult } from "../kernel/turn-result.ts";
import type { Evaluation } from "../suite/carry-out-turn.ts";
import { diffLines, type LineDifference } from "./diff-lines.ts";
import { splitText } from "./split-text.ts";

/** One fact about a layer that differs; null where the layer isn't there. */
export interface FieldChange {
  readonly field: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** What differs of one layer between two builds, and why. */
export interface LayerChange {
  readonly layer: string;
  readonly fields: readonly FieldChange[];
  /** Null where its part of the text is the same. */
  readonly text: LineDifference | null;
  /** Sentences: what changed in the build, or what else it follows from. */
  readonly because: readonly string[];
}

/** What two evaluations of one test are compared with. */
export interface Compared {
  readonly before: Evaluation;
  readonly after: Evaluation;
  /** By `diffBuilds`. */
  readonly differences: readonly BuildDifference[];
  readonly candidate: ContextBuild;
  readonly isLive: boolean;
}

/** The layers that differ, in the order of the candidate, gone ones last. */
export function listLayerChanges(compared: Compared): readonly LayerChange[] {
  const before = toFacts(compared.before, listShared(compared.before, compared.after));
  const after = toFacts(compared.after, listShared(compared.after, compared.before));
  const [oldText, newText] = [splitText(compared.before.result), splitText(compared.after.result)];
  return [...new Set([...after.keys(), ...before.keys()])].flatMap((layer) => {
    const fields = diffFacts(before.get(layer), after.get(layer));
    const text = diffLines(oldText.get(layer) ?? [], newText.get(layer) ?? []);
    if (fields.length === 0 && text === null) return [];
    return [{ layer, fields, text, because: explain(layer, compared) }];
  });
}

type LayerFacts = ReadonlyMap<string, string>;

function toFacts({ result }: Evaluation, order: readonly string[]): ReadonlyMap<string, LayerFacts> {
  return new Map(result.layers.map((layer) => [layer.layer, listFacts(layer, order.indexOf(layer.layer))]));
}

/** The layers of a text that are in the other too, in order: one that is gone moves no other. */
function listShared(own: Evaluation, other: Evaluation): readonly string[] {
  const selected = new Set(other.result.layers.flatMap(({ layer, isSelected }) => (isSelected ? [layer] : [])));
  return own.result.layers
    .filter(({ layer, isSelected }) => isSelected && selected.has(layer))
    .map(({ layer }) => layer);
}

/** A layer's place, from 1, is that among the layers of both texts. Bytes aren't named: the text says more. */
function listFacts(layer: LayerResult, at: number): LayerFacts {
  return new Map(
    Object.entries({
      rule: layer.rule,
      state: layer.state,
      reason: layer.reason ?? "none",
      provider: layer.provider ?? "none",
      provider_status: layer.providerStatus ?? "none",
      provider_reason: layer.providerReason ?? "none",
      currentness: layer.currentness ?? "none",
      selected: String(layer.isSelected),
      not_selected_because: layer.notSelectedBecause ?? "none",
      place: at === -1 ? "none" : String(at + 1),
    }),
  );
}

function diffFacts(before: LayerFacts | undefined, after: LayerFacts | undefined): readonly FieldChange[] {
  if (before === undefined) return [{ field: "in the profile", before: null, after: "yes" }];
  if (after === undefined) return [{ field: "in the profile", before: "yes", after: null }];
  return [...after].flatMap(([field, value]) => {
    const old = before.get(field) ?? null;
    return old === value ? [] : [{ field, before: old, after: value }];
  });
}

function explain(layer: string, compared: Compared): readonly string[] {
  const causes = compared.differences.flatMap((difference) => sayCause(difference, layer, compared));
  if (causes.length > 0) return causes;
  const { result } = compared.after;
  const found = result.layers.find((one) => one.layer === layer);
  if (found?.notSelectedBecause === "TURN_BLOCKED")
    return result.blockedBy.map(({ says }) => `the turn is BLOCKED: ${says}`);
  if (found?.notSelectedBecause === "BUDGET") return ["other layers take more of the budget"];
  if (compared.isLive && found?.provider != null) return ["its provider may have answered otherwise: LIVE"];
  return ["it follows from what changed of other layers"];
}

/** Differences of the build that this layer's part of a turn can come from. */
function sayCause(
  { kind, id, change, fields, says }: BuildDifference,
  layer: string,
  { after, before, candidate }: Compared,
): readonly string[] {
  switch (kind) {
    case "layer":
      return id === layer ? [says] : [];
    case "provider": {
      const bound = [before, after].flatMap(({ result }) => result.layers.filter((one) => one.layer === layer));
      const isOf =
        bound.some(({ provider }) => provider === id) || listProviders(layer, after, candidate).includes(id ?? "");
      return isOf ? [says] : [];
    }
    case "profile": {
      if (id !== after.plan.profile.id || change !== "changed") return [];
      const own = fields.filter(({ field }) => isAbout(field, layer, [before, after]));
      return own.map(
        (one) => `profile ${id}: ${one.field} was ${one.before ?? "not there"} and is ${one.after ?? "gone"}`,
      );
    }
    case "project":
    case "objective":
    case "consumer":
      return [];
    default:
      return kind satisfies never;
  }
}

/** The budget matters to a layer that it turned away, the order to one that is in a text. */
function isAbout(field: string, layer: string, sides: readonly Evaluation[]): boolean {
  const found = sides.flatMap(({ result }) => result.layers.filter((one) => one.layer === layer));
  if (field.startsWith("budget")) return found.some(({ notSelectedBecause }) => notSelectedBecause === "BUDGET");
  if (field === "order") return found.some(({ isSelected }) => isSelected);
  return field === `layers.${layer}` || field.startsWith(`layers.${layer}.`);
}

function listProviders(layer: string, { plan }: Evaluation, candidate: ContextBuild): readonly string[] {
  const entries = indexBuild(candidate).profiles.get(plan.profile.id)?.entries ?? [];
  return entries
    .filter((entry) => entry.layer.id === layer)
    .flatMap((entry) => entry.layer.providers.map(({ id }) => id));
}
