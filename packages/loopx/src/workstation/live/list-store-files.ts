import type { Ambient } from "@loopx/contracts";
import type { Topic } from "@loopx/workstation/contract";
import type { Globals } from "../../command-table/global-flags.ts";
import { listRegisteredProjects } from "../../global/registered-project.ts";
import { toStorePath } from "../../project/project-roots.ts";
import type { WatchedFile } from "./change-feed.ts";

/** The store of each registered project, with the goals that are read from it. */
export async function listStoreFiles(
  globals: Pick<Globals, "registry">,
  ambient: Ambient,
): Promise<readonly WatchedFile[]> {
  const projects = await listRegisteredProjects(globals, ambient);
  return projects.map(({ root, goalIds }) => ({
    path: toStorePath(root),
    topics: ["overview", ...[...goalIds].map((goalId): Topic => `goal:${goalId}`)],
  }));
}
