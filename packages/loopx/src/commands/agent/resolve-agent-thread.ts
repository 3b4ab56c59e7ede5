import { findAgent, listBindingsOfThread } from "@loopx/control-plane";
import { ERROR_TABLE, isLoopxError } from "@loopx/contracts";
import {
  decideThreadResolution,
  parseThreadReference,
  type StoredThreadBinding,
  type ThreadReference,
} from "@loopx/host-commands";
import type { OpenProject } from "../../project/open-project.ts";
import { withProject } from "../../project/resolve-project.ts";
import { joinLines, renderFacts } from "../../packets/render-facts.ts";
import type { CommandHandler, CommandInput } from "../command-handler.ts";

/** Says which goal and lane a host thread is bound to in this project. Stores nothing. */
export const run: CommandHandler<"resolve-agent-thread"> = async (input) => {
  const reference = parseThreadReference(input.flags);
  const resolution = decideThreadResolution(reference, await loadBindings(input, reference));
  return {
    packet: resolution,
    text: (style) =>
      joinLines(
        style.bold(resolution.status),
        renderFacts(
          [
            ["active state id", resolution.goal_id ?? null],
            ["agent", resolution.agent_id ?? null],
            ["on", resolution.status === "bound" ? (resolution.matched_host_surfaces?.join(", ") ?? null) : null],
          ],
          style,
        ),
        style.dim(MEANINGS[resolution.status]),
      ),
    exitCode: resolution.ok ? 0 : ERROR_TABLE.thread_agent_binding_ambiguous.exit,
  };
};

const MEANINGS: Readonly<Record<ReturnType<typeof decideThreadResolution>["status"], string>> = {
  bound: "the link says where the task is; it shares no permission, folder, lease or conversation",
  missing: "the link is well-formed; nothing in this project is bound to that task, and nothing is taken over",
  ambiguous: "several lanes of this project are bound to that task; ask which one is meant",
  invalid: "the task is bound to an agent that is not registered; it has to bind itself again",
};

/** A project that nobody connected has no bindings: every thread is missing there. */
async function loadBindings(
  { globals, ambient }: Pick<CommandInput<"resolve-agent-thread">, "globals" | "ambient">,
  reference: ThreadReference,
): Promise<readonly StoredThreadBinding[]> {
  const threadId = reference.kind === "link" ? reference.locator.thread_id : reference.threadId;
  try {
    return await withProject({ globals, ambient, goalId: undefined }, "read", (project) =>
      listBindings(project, threadId),
    );
  } catch (error) {
    if (isLoopxError(error) && error.code === "project_not_connected") return [];
    throw error;
  }
}

async function listBindings(project: OpenProject, threadId: string): Promise<readonly StoredThreadBinding[]> {
  return project.database.read(async (tx) => {
    const bindings: StoredThreadBinding[] = [];
    for (const binding of await listBindingsOfThread(tx, threadId)) {
      const agent = await findAgent(tx, binding.goal_id, binding.agent_id);
      bindings.push({
        hostSurface: binding.host_surface,
        threadId: binding.thread_id,
        goalId: binding.goal_id,
        agentId: binding.agent_id,
        isAgentRegistered: agent !== undefined,
      } as StoredThreadBinding);
    }
    return bindings;
  });
}
