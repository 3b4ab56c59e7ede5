import { isLoopxError, LoopxError, type ErrorCode } from "@loopx/contracts";
import {
  parseAgentType,
  renderAgentTypeCatalog,
  renderAgentTypeCatalogText,
  renderOnboarding,
  renderOnboardingText,
  type OnboardingPacket,
} from "@loopx/host-commands";
import { printForHosts } from "../../command-line/print-for-hosts.ts";
import type { CommandResult } from "../../output/command-result.ts";
import { findUserHome } from "../../project/home-location.ts";
import { findProjectFolder } from "../../project/project-folder.ts";
import { findMainWorktree, findRegisteredRoot, hasStore } from "../../project/project-roots.ts";
import { withProject } from "../../project/resolve-project.ts";
import type { CommandHandler, CommandInput } from "../command-handler.ts";
import { loadStartFacts } from "../host/start-facts.ts";
import { recordLoop, type LoopRecord } from "./record-loop.ts";

type Input = CommandInput<"agent-onboard">;

/** Lists the agent types, or shows how one takes part; with `--record-activation` records that its loop was set up. */
export const run: CommandHandler<"agent-onboard"> = async (input) => {
  const { flags, globals, ambient } = input;
  refuseLoneFlags(flags);
  if (flags.agentType === undefined) {
    const catalog = renderAgentTypeCatalog();
    return { packet: catalog, text: () => renderAgentTypeCatalogText(catalog) };
  }
  const hostSurface = parseAgentType(flags.agentType);
  const root = await findRoot(input);
  const facts = await loadStartFacts({ root, globals, ambient, flags: { ...flags, hostSurface } });
  const packet = renderOnboarding({ ...facts, hostSurface, loopDriver: flags.loopDriver }, printForHosts);
  if (flags.recordActivation) return recordLoop(input, toRecord(packet, flags));
  return toResult(packet);
};

function toResult(packet: OnboardingPacket): CommandResult {
  return { packet, text: () => renderOnboardingText(packet) };
}

/** Refuses what says nothing without `--record-activation`. */
function refuseLoneFlags(flags: Input["flags"]): void {
  const lone = flags.execute ? "--execute" : flags.taskBodyDigest === undefined ? undefined : "--task-body-digest";
  if (flags.recordActivation || lone === undefined) return;
  throw new LoopxError("usage", {
    message: `${lone} belongs to --record-activation`,
    hint: "add --record-activation, or leave it out",
  });
}

async function findRoot(input: Input): Promise<string | undefined> {
  const { flags, globals, ambient } = input;
  const resolve = (): Promise<string> =>
    withProject({ globals, ambient, goalId: flags.goalId }, "read", async (project) => project.root);
  if (flags.goalId !== undefined || globals.registry !== undefined) return resolve();
  try {
    const folder = findProjectFolder(input);
    const userHome = findUserHome(ambient.env);
    const root = findRegisteredRoot(folder, userHome) ?? folder;
    const main = hasStore(root) ? undefined : findMainWorktree(folder, userHome);
    // A linked worktree is never followed unasked: what is refused there names the goals of its main checkout.
    return main !== undefined && main !== folder && hasStore(main) ? await resolve() : root;
  } catch (error) {
    if (isLoopxError(error) && error.code === "project_not_resolved") return undefined;
    throw error;
  }
}

/** Refuses where the lane isn't settled: what was set up, and for whom, isn't known then. */
function toRecord(packet: OnboardingPacket, flags: Input["flags"]): LoopRecord {
  const { activation, goal_id: goalId, agent_id: agentId } = packet;
  if (activation !== undefined && goalId !== undefined && agentId !== undefined) {
    return {
      goalId,
      agentId,
      hostSurface: packet.host_surface,
      threadId: packet.thread_id ?? null,
      loopDriver: activation.loop_driver ?? null,
      taskBodyDigest: flags.taskBodyDigest ?? activation.task_body_digest,
      currentDigest: activation.task_body_digest,
    };
  }
  const [hint] = packet.next.flat();
  throw new LoopxError(REFUSALS[packet.blocked_by ?? "project_setup"], {
    message: `nothing was recorded: ${packet.reason ?? "the lane is not settled"}`,
    ...(hint === undefined ? {} : { hint }),
  });
}

const REFUSALS: Readonly<Record<NonNullable<OnboardingPacket["blocked_by"]>, ErrorCode>> = {
  project_setup: "project_not_resolved",
  project_not_connected: "project_not_connected",
  goal_selection: "goal_selection_required",
  agent_registration: "unknown_agent",
  agent_identity_selection: "binding_not_verified",
  thread_binding: "binding_not_verified",
  loop_driver: "missing_flag",
};
