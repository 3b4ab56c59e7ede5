import { readdir } from "node:fs/promises";
import { fromRefusal } from "@loopx/contracts";
import { createBuild, CURRENT_BUILD, type ContextProject } from "@loopx/runtime-context/offline";
import { planTurn, type ContextBuild } from "@loopx/runtime-context";
import type { ContextBuildRow, ContextCell, ContextLayerRow, ContextProjectAnswer } from "@loopx/workstation/contract";
import { listBuildFolders, loadPlacedProject, type ContextPlace } from "./context-place.ts";
import { toPlaceRow } from "./place-row.ts";

/** The project as it stands now, in a regression run. */
export const WORKING_BUILD = "working";

/** Whom the matrix is for; what isn't said is the first that the project has. */
export interface MatrixQuery {
  readonly objective: string | undefined;
  readonly consumer: string | undefined;
}

/** What the explorer shows of a project. Refuses as `loadPlacedProject`, and as a turn does a name that it doesn't know. */
export async function loadProjectAnswer(place: ContextPlace, query: MatrixQuery): Promise<ContextProjectAnswer> {
  const { project, files } = await loadPlacedProject(place);
  const build = createBuild(project, files);
  const asked = {
    objective: query.objective ?? project.objectives[0]?.id ?? "",
    consumer: query.consumer ?? project.consumers[0]?.id ?? "",
  };
  return {
    ok: true,
    place: await toPlaceRow(place),
    build: build.digest,
    objectives: project.objectives,
    consumers: project.consumers,
    asked,
    profiles: project.profiles.map(({ id, name, budget }) => ({
      id,
      name,
      budget_bytes: budget.bytes,
      budget_tokens: budget.tokens?.max ?? null,
    })),
    layers: project.layers.map((layer) => toLayerRow(layer, project)),
    cells: project.profiles.flatMap(({ id }) => listCells(build, { ...asked, profile: id })),
    providers: project.providers.map(({ id, name, lookup, maxItems }) => ({
      id,
      name,
      input: lookup.input,
      pattern: lookup.pattern,
      max_items: maxItems,
      layers: project.layers
        .filter(({ bindings }) => bindings.some((bound) => bound.kind === "provider" && bound.provider === id))
        .map((layer) => layer.id),
    })),
    tests: project.tests.map(({ id, name, objective, consumer, profile, inputs, providers }) => ({
      id,
      name,
      objective,
      consumer,
      profile,
      inputs,
      providers: Object.keys(providers),
    })),
    builds: await listBuilds(place),
  };
}

function toLayerRow(layer: ContextProject["layers"][number], { providers }: ContextProject): ContextLayerRow {
  const { id, name, objectives, consumers, requiresInput, bindings } = layer;
  const asked = new Set(bindings.flatMap((bound) => (bound.kind === "provider" ? [bound.provider] : [])));
  const lookups = providers.filter((provider) => asked.has(provider.id)).map(({ lookup }) => lookup.input);
  return {
    id,
    name,
    objectives,
    consumers,
    needs: [...new Set([...requiresInput, ...lookups])],
    sources: bindings.map((bound) => {
      if (bound.kind === "text") return { kind: "text", name: null };
      return { kind: bound.kind, name: bound.kind === "file" ? bound.path : bound.provider };
    }),
  };
}

/** As the Kernel plans a turn that gives no input: nobody else says what applies. */
function listCells(
  build: ContextBuild,
  asked: { readonly objective: string; readonly consumer: string; readonly profile: string },
): readonly ContextCell[] {
  const plan = planTurn(build, { ...asked, inputs: {} });
  if ("ok" in plan) throw fromRefusal(plan);
  return plan.layers.map((planned) => ({
    profile: asked.profile,
    layer: planned.layer.id,
    rule: planned.rule.rule,
    priority: planned.rule.priority,
    accept: planned.rule.accept,
    applies: toApplicability(planned),
  }));
}

type Planned = Exclude<ReturnType<typeof planTurn>, { readonly ok: false }>["layers"][number];

function toApplicability(planned: Planned): ContextCell["applies"] {
  switch (planned.kind) {
    case "not_requested":
      return planned.reason;
    case "unknown":
    case "invalid_request":
      return "NEEDS_INPUT";
    case "evaluated":
      return "IN_SCOPE";
    default:
      return planned satisfies never;
  }
}

/** What a folder of a build is called. */
export const BUILD_NAME = /^build-[0-9a-f]{12}$/;

/** The project as it is now, then each build that stands where builds are looked for. */
async function listBuilds(place: ContextPlace): Promise<readonly ContextBuildRow[]> {
  const names = new Set<string>();
  for (const folder of listBuildFolders(place)) {
    for (const name of await listNames(folder)) if (BUILD_NAME.test(name) || name === CURRENT_BUILD) names.add(name);
  }
  return [WORKING_BUILD, ...[...names].toSorted()].map((build) => ({ build, is_current: build === CURRENT_BUILD }));
}

async function listNames(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch {
    return [];
  }
}
