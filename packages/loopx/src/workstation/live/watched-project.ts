import type { Ambient } from "@loopx/contracts";
import type { Topic } from "@loopx/workstation/contract";
import type { Globals } from "../../command-table/global-flags.ts";
import { listRegisteredProjects, type RegisteredProject } from "../../global/registered-project.ts";
import { isOnServer, toStorePath, toStoreReferencePath } from "../../project/project-roots.ts";

/** A project whose store may change, and what pages read from it. */
export interface WatchedProject {
  readonly project: RegisteredProject;
  /** The store, or where a server keeps that, the reference to it. */
  readonly path: string;
  readonly topics: readonly Topic[];
  /** No file tells of its changes: the server is asked. */
  readonly isOnServer: boolean;
}

/** Every registered project, with the goals that are read from it. */
export async function listWatchedProjects(
  globals: Pick<Globals, "registry">,
  ambient: Ambient,
): Promise<readonly WatchedProject[]> {
  const projects = await listRegisteredProjects(globals, ambient);
  return projects.map((project) => {
    const { root, goalIds } = project;
    const isAway = isOnServer(root);
    return {
      project,
      path: isAway ? toStoreReferencePath(root) : toStorePath(root),
      topics: ["overview", ...[...goalIds].map((goalId): Topic => `goal:${goalId}`)],
      isOnServer: isAway,
    };
  });
}
