import { renderDidYouMean } from "@loopx/contracts";
import { quoteName, type FindingParts, type PathSegment } from "./document/finding.ts";
import type { ContextProject } from "./context-project.ts";
import type { Expectation } from "./expectation.ts";

/** A finding whose file and line the caller knows. */
export type PlacedFault = Omit<FindingParts, "file"> & { readonly path: readonly PathSegment[] };

/** The most providers that one profile may reach: one request must not become any number of calls. */
const PROVIDERS_PER_PROFILE = 16;

type Kind = "objective" | "consumer" | "profile" | "layer" | "provider";

/**
 * Ids that are there twice and references that lead nowhere, and, as warnings, what nothing refers to. `unknowable` are lists,
 * such as `layers`, of which not all ids are known: no reference to one is judged.
 */
export function findReferenceFaults(
  project: ContextProject,
  unknowable: ReadonlySet<string> = new Set(),
): readonly PlacedFault[] {
  const known: Readonly<Record<Kind, ReadonlySet<string>>> = {
    objective: toIds(project.objectives),
    consumer: toIds(project.consumers),
    profile: toIds(project.profiles),
    layer: toIds(project.layers),
    provider: toIds(project.providers),
  };
  const refer = (kind: Kind, id: string, path: readonly PathSegment[]): readonly PlacedFault[] =>
    known[kind].has(id) || unknowable.has(`${kind}s`)
      ? []
      : [
          {
            rule: "UNKNOWN_REFERENCE",
            path,
            message: `no ${kind} has the id ${quoteName(id)}${renderDidYouMean(id, known[kind])}`,
          },
        ];
  return [
    ...findRepeatedIds(project),
    ...findProfileFaults(project, refer),
    ...findLayerFaults(project, refer),
    ...findTestFaults(project, refer),
    ...findUnused(project),
  ];
}

type Refer = (kind: Kind, id: string, path: readonly PathSegment[]) => readonly PlacedFault[];

function toIds(entries: readonly { readonly id: string }[]): ReadonlySet<string> {
  return new Set(entries.map(({ id }) => id));
}

const KINDS = ["objectives", "consumers", "profiles", "layers", "providers", "tests"] as const;

function findRepeatedIds(project: ContextProject): readonly PlacedFault[] {
  return KINDS.flatMap((kind) => {
    const ids = project[kind].map(({ id }) => id);
    return findRepeated(ids, (index) => [kind, index, "id"], `of the ${kind}`);
  });
}

function findRepeated(
  ids: readonly string[],
  pathOf: (index: number) => readonly PathSegment[],
  where: string,
): readonly PlacedFault[] {
  const seen = new Set<string>();
  return ids.flatMap((id, index) => {
    const isRepeated = seen.has(id);
    seen.add(id);
    return isRepeated
      ? [
          {
            rule: "DUPLICATE_ID",
            path: pathOf(index),
            message: `${quoteName(id)} is there twice among the ids ${where}`,
          },
        ]
      : [];
  });
}

function findProfileFaults(project: ContextProject, refer: Refer): readonly PlacedFault[] {
  const layersById = new Map(project.layers.map((layer) => [layer.id, layer]));
  return project.profiles.flatMap((profile, index) => {
    const ids = profile.layers.map(({ layer }) => layer);
    const reached = new Set(
      profile.layers
        .filter(({ rule }) => rule !== "excluded")
        .flatMap(({ layer }) => layersById.get(layer)?.bindings ?? [])
        .flatMap((binding) => (binding.kind === "provider" ? [binding.provider] : [])),
    );
    return [
      ...ids.flatMap((id, at) => refer("layer", id, ["profiles", index, "layers", at, "layer"])),
      ...findRepeated(ids, (at) => ["profiles", index, "layers", at, "layer"], "of this profile's layers"),
      ...(reached.size > PROVIDERS_PER_PROFILE ? [tooManyProviders(reached.size, ["profiles", index])] : []),
    ];
  });
}

function tooManyProviders(count: number, path: readonly PathSegment[]): PlacedFault {
  return {
    rule: "TOO_MANY_PROVIDERS",
    path,
    message: `reaches ${count} providers, the limit of a profile is ${PROVIDERS_PER_PROFILE}`,
  };
}

function findLayerFaults(project: ContextProject, refer: Refer): readonly PlacedFault[] {
  return project.layers.flatMap((layer, index) => {
    const bound = layer.bindings.map((binding) => (binding.kind === "provider" ? binding.provider : null));
    return [
      ...bound.flatMap((id, at) =>
        id === null ? [] : refer("provider", id, ["layers", index, "bindings", at, "provider"]),
      ),
      ...bound.flatMap((id, at) =>
        id !== null && bound.indexOf(id) < at
          ? [
              {
                rule: "DUPLICATE_ID" as const,
                path: ["layers", index, "bindings", at],
                message: `binds ${quoteName(id)} twice`,
              },
            ]
          : [],
      ),
      ...(layer.objectives ?? []).flatMap((id, at) => refer("objective", id, ["layers", index, "objectives", at])),
      ...(layer.consumers ?? []).flatMap((id, at) => refer("consumer", id, ["layers", index, "consumers", at])),
    ];
  });
}

function findTestFaults(project: ContextProject, refer: Refer): readonly PlacedFault[] {
  return project.tests.flatMap((test, index) => [
    ...refer("objective", test.objective, ["tests", index, "objective"]),
    ...refer("consumer", test.consumer, ["tests", index, "consumer"]),
    ...(test.profile === null ? [] : refer("profile", test.profile, ["tests", index, "profile"])),
    ...Object.keys(test.providers).flatMap((id) => refer("provider", id, ["tests", index, "providers", id])),
    ...test.expect.flatMap((expectation, at) =>
      listNames(expectation, ["tests", index, "expect", at]).flatMap(({ kind, id, path }) => refer(kind, id, path)),
    ),
  ]);
}

interface PlacedName {
  readonly kind: "layer" | "provider";
  readonly id: string;
  readonly path: readonly PathSegment[];
}

/** Every layer and provider that an expectation names. */
function listNames(expectation: Expectation, path: readonly PathSegment[]): readonly PlacedName[] {
  switch (expectation.kind) {
    case "layer":
      return [{ kind: "layer", id: expectation.layer, path: [...path, "layer"] }];
    case "unknown":
      return [{ kind: "layer", id: expectation.layer, path: [...path, "unknown"] }];
    case "provider":
      return [{ kind: "provider", id: expectation.provider, path: [...path, "provider"] }];
    case "selected":
    case "excluded":
    case "order":
      return expectation.layers.map((id, at) => ({ kind: "layer", id, path: [...path, expectation.kind, at] }));
    case "not":
      return listNames(expectation.expectation, [...path, "not"]);
    case "all":
    case "any":
      return expectation.expectations.flatMap((one, at) => listNames(one, [...path, expectation.kind, at]));
    case "outcome":
    case "contains":
    case "matches":
    case "bytesAtMost":
    case "digest":
      return [];
    default:
      return expectation satisfies never;
  }
}

function findUnused(project: ContextProject): readonly PlacedFault[] {
  const bindings = project.layers.flatMap((layer) => layer.bindings);
  const bound = new Set(bindings.flatMap((binding) => (binding.kind === "provider" ? [binding.provider] : [])));
  const ruled = new Set(project.profiles.flatMap(({ layers }) => layers.map(({ layer }) => layer)));
  return [
    ...project.providers.flatMap(({ id }, index) =>
      bound.has(id) ? [] : [toUnused(["providers", index], "no layer binds this provider")],
    ),
    ...project.layers.flatMap(({ id }, index) =>
      ruled.has(id) ? [] : [toUnused(["layers", index], "no profile has this layer")],
    ),
  ];
}

function toUnused(path: readonly PathSegment[], message: string): PlacedFault {
  return { severity: "warning", rule: "NOT_USED", path, message };
}
