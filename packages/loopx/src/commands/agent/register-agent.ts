import { listAgents, loadGoal, registerAgents, type RegisteredAgents } from "@loopx/control-plane";
import { fromRefusal, LoopxError } from "@loopx/contracts";
import { printCommand } from "../../command-line/print-command.ts";
import type { CommandResult } from "../../output/command-result.ts";
import { joinLines, renderNext } from "../../packets/render-facts.ts";
import { unwrap } from "../../packets/unwrap.ts";
import { identifyCaller } from "../../project/identify-caller.ts";
import { withHomeToWrite } from "../../project/open-home.ts";
import type { OpenProject } from "../../project/open-project.ts";
import { withGoal } from "../../project/resolve-project.ts";
import type { CommandHandler, CommandInput } from "../command-handler.ts";

type Input = CommandInput<"register-agent">;

/** Registers a lane and reads it back; a preview without `--execute`. */
export const run: CommandHandler<"register-agent"> = async (input) => {
  const { flags, globals, ambient, facts } = input;
  const access = flags.execute ? "write" : "read";
  return withGoal({ globals, ambient, goalId: flags.goalId }, access, async (project, goalId) => {
    if (!flags.execute) return preview(project, goalId, flags);
    // The lane does not exist yet, so it cannot be the one that registers itself.
    const { actor } = await identifyCaller({ ambient, facts }, { agentId: undefined });
    const request = {
      goalId,
      projectId: project.projectId,
      agentIds: [flags.agentId],
      mustBeNew: flags.requireNew,
      actor,
    };
    const registered = unwrap(
      await withHomeToWrite(ambient, (home) => registerAgents(home, project.database, request, ambient)),
    );
    return renderRegistered(registered, {
      goalId,
      agentId: flags.agentId,
      requireNew: flags.requireNew,
      isPreview: false,
    });
  });
};

async function preview(project: OpenProject, goalId: string, flags: Input["flags"]): Promise<CommandResult> {
  const agentIds = await project.database.read(async (tx) => {
    const goal = await loadGoal(tx, goalId);
    if (!goal.ok) throw fromRefusal(goal);
    return (await listAgents(tx, goalId)).map((agent) => agent.agent_id);
  });
  const isNew = !agentIds.includes(flags.agentId);
  if (!isNew && flags.requireNew) {
    throw new LoopxError("agent_identity_already_registered", {
      message: "this lane id is registered in the goal already",
      hint: "choose another --agent-id, or leave out --require-new to take the lane over",
      details: { agent_id: flags.agentId },
    });
  }
  const registered: RegisteredAgents = { ok: true, agentIds, added: isNew ? [flags.agentId] : [], isVerified: false };
  const { agentId, requireNew } = flags;
  return renderRegistered(registered, { goalId, agentId, requireNew, isPreview: true });
}

const AGENTS_SHOWN = 20;

function renderRegistered(
  registered: RegisteredAgents,
  lane: {
    readonly goalId: string;
    readonly agentId: string;
    readonly requireNew: boolean;
    readonly isPreview: boolean;
  },
): CommandResult {
  const { goalId, agentId, requireNew, isPreview } = lane;
  const changed = registered.added.length > 0;
  const next = isPreview
    ? [printCommand("register-agent", { goalId, agentId, requireNew, execute: true }).shell]
    : [printCommand("quota should-run", { goalId, agentId }).shell];
  return {
    packet: {
      ok: true,
      schema_version: "loopx_register_agent_v1",
      goal_id: goalId,
      agent_id: agentId,
      dry_run: isPreview,
      changed,
      written: changed && !isPreview,
      registered_agents: registered.agentIds.slice(0, AGENTS_SHOWN),
      registration_readback: { verified: registered.isVerified },
      next,
    },
    text: (style) =>
      joinLines(
        isPreview
          ? `${changed ? "would register" : "already registered"}: ${style.bold(agentId)} in ${goalId}`
          : `${changed ? "registered" : "already registered"}: ${style.bold(agentId)} in ${goalId}${registered.isVerified ? ", read back" : ", NOT read back"}`,
        renderNext(next, style),
      ),
    exitCode: isPreview || registered.isVerified ? 0 : 1,
  };
}
