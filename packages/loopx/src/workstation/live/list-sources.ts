import type { Ambient } from "@loopx/contracts";
import type { Topic } from "@loopx/workstation/contract";
import type { Globals } from "../../command-table/global-flags.ts";
import { listRegisteredProjects, type RegisteredProject } from "../../global/registered-project.ts";
import { isOnServer, toStorePath } from "../../project/project-roots.ts";
import type { WatchedFile } from "./change-feed.ts";

/** Where the registered projects are read from. */
export interface ProjectSources {
  /** The stores that are files, each with the goals that are read from it. */
  readonly files: readonly WatchedFile[];
  readonly onServers: readonly RegisteredProject[];
}

/** The sources of each registered project, as they are now. */
export async function listSources(globals: Pick<Globals, "registry">, ambient: Ambient): Promise<ProjectSources> {
  const projects = await listRegisteredProjects(globals, ambient);
  const onServers = projects.filter(({ root }) => isOnServer(root));
  const files = projects
    .filter((project) => !onServers.includes(project))
    .map(({ root, goalIds }) => ({
      path: toStorePath(root),
      topics: ["overview", ...[...goalIds].map((goalId): Topic => `goal:${goalId}`)] satisfies readonly Topic[],
    }));
  return { files, onServers };
}
