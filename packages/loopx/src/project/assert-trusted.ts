import type { Ambient } from "@loopx/contracts";
import { fromRefusal } from "@loopx/contracts";
import { checkProjectTrust } from "@loopx/control-plane";
import { withHomeToRead } from "./open-home.ts";
import type { OpenProject } from "./open-project.ts";

/**
 * Refuses a project whose stored text and commands this machine has no reason to follow.
 *
 * Without any home store nothing is trusted: `project_not_trusted`.
 */
export async function assertTrusted(project: Pick<OpenProject, "projectId" | "root">, ambient: Ambient): Promise<void> {
  const refused = await withHomeToRead(ambient, async (home) =>
    home === undefined ? NO_HOME : home.read((tx) => checkProjectTrust(tx, project)),
  );
  if (refused !== undefined) throw fromRefusal(refused);
}

const NO_HOME = {
  ok: false,
  code: "project_not_trusted",
  message: "this machine has no LoopX home that knows the project",
  hint: "loopx connect",
} as const;
