import { previewUnbind, unbindThread } from "@loopx/control-plane";
import { parseHostSurface } from "@loopx/host-commands";
import { renderBinding } from "../../packets/binding-packet.ts";
import { unwrap } from "../../packets/unwrap.ts";
import { identifyCaller } from "../../project/identify-caller.ts";
import { withHomeToWrite } from "../../project/open-home.ts";
import { withGoal } from "../../project/resolve-project.ts";
import type { CommandHandler } from "../command-handler.ts";

/** Takes a thread's binding away; a preview without `--execute`. */
export const run: CommandHandler<"unbind-agent-thread"> = async ({ flags, globals, ambient, facts }) => {
  const hostSurface = parseHostSurface(flags.hostSurface);
  const access = flags.execute ? "write" : "read";
  return withGoal({ globals, ambient, goalId: flags.goalId }, access, async (project, goalId) => {
    const { actor } = await identifyCaller({ ambient, facts }, { agentId: flags.agentId });
    const { threadId, agentId } = flags;
    const request = { goalId, projectId: project.projectId, hostSurface, threadId, agentId, actor };
    const unbound = flags.execute
      ? unwrap(await withHomeToWrite(ambient, (home) => unbindThread(home, project.database, request, ambient)))
      : unwrap(await previewUnbind(project.database, request));
    const binding = unbound.binding ?? {
      goal_id: goalId,
      host_surface: hostSurface,
      thread_id: threadId,
      agent_id: agentId,
      status: "unbound" as const,
      is_verified: false,
      bound_at: ambient.now(),
    };
    return renderBinding("unbind-agent-thread", { binding, changed: unbound.changed, isPreview: !flags.execute });
  });
};
