import {
  PROJECT_CONTRACT,
  type ContextProject,
  type ContextTest,
  type Layer,
  type LayerBinding,
  type NamedScope,
  type Profile,
  type ProviderFixture,
  type ProviderRequirement,
} from "./context-project.ts";
import { toExpectation } from "./expectation.ts";
import type { ProjectDocument } from "./project-schema.ts";

type Entry<Kind extends keyof ProjectDocument> = ProjectDocument[Kind] extends readonly (infer One)[] ? One : never;

/**
 * The project as everything else sees it: what was left out is null or its default. Members stand in canonical order, in
 * which a build's manifest is rendered fastest.
 */
export function toContextProject(document: ProjectDocument): ContextProject {
  return {
    contract: PROJECT_CONTRACT,
    id: document.id,
    version: document.version,
    objectives: document.objectives.map(toScope),
    consumers: document.consumers.map(toScope),
    profiles: document.profiles.map(toProfile),
    layers: document.layers.map(toLayer),
    providers: document.providers.map(toRequirement),
    tests: document.tests.map(toTest),
  };
}

function toScope({ id, name }: Entry<"objectives">): NamedScope {
  return { id, name: name ?? null };
}

function toProfile({ id, name, layers, budget }: Entry<"profiles">): Profile {
  return {
    budget: { bytes: budget.bytes, tokens: budget.tokens ?? null },
    id,
    layers: layers.map(({ accept, layer, priority, rule }) => ({ accept, layer, priority, rule })),
    name: name ?? null,
  };
}

function toLayer(layer: Entry<"layers">): Layer {
  return {
    bindings: layer.bindings.map(toBinding),
    consumers: layer.consumers ?? null,
    emptyIs: layer.emptyIs,
    id: layer.id,
    metadata: layer.metadata,
    name: layer.name,
    objectives: layer.objectives ?? null,
    requiresInput: layer.requiresInput,
  };
}

function toRequirement({ id, lookup, maxItems, name }: Entry<"providers">): ProviderRequirement {
  return { id, lookup: { input: lookup.input, pattern: lookup.pattern }, maxItems, name };
}

function toBinding({ text, file, provider }: Entry<"layers">["bindings"][number]): LayerBinding {
  if (text !== undefined) return { kind: "text", text };
  // The schema has seen to it that one of the three is there.
  return file === undefined ? { kind: "provider", provider: provider ?? "" } : { kind: "file", path: file };
}

function toTest(test: Entry<"tests">): ContextTest {
  const { name, profile, clock, synthetic } = test;
  const providers = Object.entries(test.providers).map(([id, fixture]) => [id, toFixture(fixture)] as const);
  return {
    ...test,
    name: name ?? null,
    profile: profile ?? null,
    clock: clock ?? null,
    synthetic: synthetic ?? null,
    providers: Object.fromEntries(providers),
    expect: test.expect.map(toExpectation),
  };
}

function toFixture({ items, status }: Entry<"tests">["providers"][string]): ProviderFixture {
  return items === undefined ? { status: status ?? "" } : { items };
}
