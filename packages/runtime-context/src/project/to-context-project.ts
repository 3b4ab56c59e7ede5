import {
  PROJECT_CONTRACT,
  type ContextProject,
  type ContextTest,
  type Layer,
  type LayerBinding,
  type Profile,
} from "./context-project.ts";
import type { ProjectDocument } from "./project-schema.ts";

type Entry<Kind extends keyof ProjectDocument> = ProjectDocument[Kind] extends readonly (infer One)[] ? One : never;

/** The project as everything else sees it: what was left out is null or its default. */
export function toContextProject(document: ProjectDocument): ContextProject {
  const toScope = ({ id, name = null }: Entry<"objectives">): ContextProject["objectives"][number] => ({ id, name });
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

function toProfile({ id, name = null, layers, budget }: Entry<"profiles">): Profile {
  return { id, name, layers, budget: { bytes: budget.bytes, tokens: budget.tokens ?? null } };
}

function toLayer({ bindings, objectives = null, consumers = null, ...layer }: Entry<"layers">): Layer {
  return { ...layer, bindings: bindings.map(toBinding), objectives, consumers };
}

function toBinding({ text, file, provider }: Entry<"layers">["bindings"][number]): LayerBinding {
  if (text !== undefined) return { kind: "text", text };
  // The schema has seen to it that one of the three is there.
  return file === undefined ? { kind: "provider", provider: provider ?? "" } : { kind: "file", path: file };
}

function toTest(test: Entry<"tests">): ContextTest {
  const { name = null, profile = null, clock = null, synthetic = null } = test;
  const providers = Object.entries(test.providers).map(([id, { items, status }]) => [
    id,
    items === undefined ? { status: status ?? "" } : { items },
  ]);
  return {
    ...test,
    name,
    profile,
    clock,
    synthetic,
    providers: Object.fromEntries(providers) as ContextTest["providers"],
  };
}
