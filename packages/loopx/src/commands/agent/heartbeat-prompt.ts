import { LoopxError } from "@loopx/contracts";
import { findActivation, findAgent, loadGoal } from "@loopx/control-plane";
import { parseAgentType, renderHeartbeatPrompt } from "@loopx/host-commands";
import { printForHosts } from "../../command-line/print-for-hosts.ts";
import { unwrap } from "../../packets/unwrap.ts";
import { withGoal } from "../../project/resolve-project.ts";
import type { CommandHandler } from "../command-handler.ts";

/** Prints what a lane's loop carries: as text the body alone. */
export const run: CommandHandler<"heartbeat-prompt"> = async ({ flags, globals, ambient }) => {
  const hostSurface = parseAgentType(flags.agentType);
  return withGoal({ globals, ambient, goalId: flags.goalId }, "read", async (project, goalId) => {
    const { agentId, threadId } = flags;
    const record = await project.database.read(async (tx) => {
      unwrap(await loadGoal(tx, goalId));
      if ((await findAgent(tx, goalId, agentId)) === undefined) throw toUnknownAgent(goalId);
      return findActivation(tx, goalId, agentId);
    });
    const loopDriver = record?.loop_driver ?? undefined;
    const packet = renderHeartbeatPrompt(
      { hostSurface, target: { goalId, agentId, threadId }, loopDriver },
      printForHosts,
    );
    return { packet, text: () => packet.task_body, isData: true };
  });
};

function toUnknownAgent(goalId: string): LoopxError {
  return new LoopxError("unknown_agent", {
    message: "the agent is not registered in this goal",
    details: { goal_id: goalId },
  });
}
