import type { Ambient } from "@loopx/contracts";
import type { ContextAttachment } from "@loopx/control-plane";
import {
  createBuild,
  loadContextProject,
  openDeployment,
  type ContextBuild,
  type Deployment,
} from "@loopx/runtime-context";
import { loadBinding } from "../context/binding-place.ts";
import { findProjectFolder } from "../context/project-place.ts";
import { createProviderClock, SQLITE_CHILD } from "../context/runtime-parts.ts";
import { fromStoredPlace } from "./stored-place.ts";

export type AttachedPlaces = Pick<ContextAttachment, "context_project" | "binding">;

/** The project of an attachment as it is now. Refuses as `loadContextProject` does. */
export async function buildAttached(
  { context_project }: Pick<AttachedPlaces, "context_project">,
  root: string,
  ambient: Ambient,
): Promise<ContextBuild> {
  const folder = findProjectFolder(fromStoredPlace(context_project, root), ambient);
  const { project, files } = await loadContextProject(folder);
  return createBuild(project, files);
}

/**
 * The deployment that an attachment means: its project as it is now, built in memory, and its binding.
 *
 * Refuses as `loadContextProject`, `loadBinding` and `openDeployment` do.
 */
export async function openAttached(
  { context_project, binding }: AttachedPlaces,
  root: string,
  ambient: Ambient,
): Promise<Deployment> {
  const build = await buildAttached({ context_project }, root, ambient);
  const bound = await loadBinding(fromStoredPlace(binding, root), ambient);
  return openDeployment(build, bound, {
    env: ambient.env,
    clock: createProviderClock(ambient),
    sqliteChild: SQLITE_CHILD,
  });
}
