import {
  PROJECT_CONTRACT,
  type ContextProject,
  type ContextTest,
  type Layer,
  type LayerBinding,
  type NamedScope,
  type Profile,
  type ProviderFixture,
} from "./context-project.ts";
import type { ProjectDocument } from "./project-schema.ts";

type Entry<Kind extends keyof ProjectDocument> = ProjectDocument[Kind] extends readonly (infer One)[] ? One : never;

/** The project as everything else sees it: what was left out is null or its default. */
export function toContextProject(document: ProjectDocument): ContextProject {
  return {
    contract: PROJECT_CONTRACT,
    id: document.id,
    version: document.version,
    objectives: document.objectives.map(toScope),
    consumers: document.consumers.map(toScope),
    profiles: document.profiles.map(toProfile),
    layers: document.layers.map(toLayer),
    providers: document.providers,
    tests: document.tests.map(toTest),
  };
}

function toScope({ id, name }: Entry<"objectives">): NamedScope {
  return { id, name: name ?? null };
}

function toProfile({ id, name, layers, budget }: Entry<"profiles">): Profile {
  return { id, name: name ?? null, layers, budget: { bytes: budget.bytes, tokens: budget.tokens ?? null } };
}

function toLayer({ bindings, objectives, consumers, ...layer }: Entry<"layers">): Layer {
  return {
    ...layer,
    bindings: bindings.map(toBinding),
    objectives: objectives ?? null,
    consumers: consumers ?? null,
  };
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
  };
}

function toFixture({ items, status }: Entry<"tests">["providers"][string]): ProviderFixture {
  return items === undefined ? { status: status ?? "" } : { items };
}
