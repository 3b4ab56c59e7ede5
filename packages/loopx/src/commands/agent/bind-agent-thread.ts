import { bindThread, previewBind } from "@loopx/control-plane";
import { parseHostSurface } from "@loopx/host-commands";
import { renderBinding } from "../../packets/binding-packet.ts";
import { unwrap } from "../../packets/unwrap.ts";
import { identifyCaller } from "../../project/identify-caller.ts";
import { withHomeToWrite } from "../../project/open-home.ts";
import { withGoal } from "../../project/resolve-project.ts";
import type { CommandHandler } from "../command-handler.ts";

/** Binds a host thread to a lane and reads the binding back; a preview without `--execute`. */
export const run: CommandHandler<"bind-agent-thread"> = async ({ flags, globals, ambient, facts }) => {
  const hostSurface = parseHostSurface(flags.hostSurface);
  const access = flags.execute ? "write" : "read";
  return withGoal({ globals, ambient, goalId: flags.goalId }, access, async (project, goalId) => {
    const { actor } = await identifyCaller({ ambient, facts }, { agentId: flags.agentId });
    const { threadId, agentId } = flags;
    const request = { goalId, projectId: project.projectId, hostSurface, threadId, agentId, actor };
    if (!flags.execute) {
      const planned = unwrap(await previewBind(project.database, request, ambient.now()));
      return renderBinding("bind-agent-thread", { ...planned, isPreview: true });
    }
    const bound = unwrap(
      await withHomeToWrite(ambient, (home) => bindThread(home, project.database, request, ambient)),
    );
    return renderBinding("bind-agent-thread", { ...bound, isPreview: false });
  });
};
