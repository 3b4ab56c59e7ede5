import { refuse, type Ambient, type Refusal } from "@loopx/contracts";
import type { Database } from "@loopx/store";
import { commitChanges } from "../events/commit-changes.ts";
import type { Change } from "../events/event.ts";
import { loadOpenGoal } from "../goals/load-goal.ts";
import { refuseHome } from "../registry/connect-project.ts";
import { listRegisteredAgentIds, mirrorGoal } from "../registry/registry-rows.ts";
import { findAgent, listAgents } from "./agent-rows.ts";
import type { Actor } from "./agent.ts";
import { refuseCredential } from "../todos/check-todo-text.ts";

export interface RegisterAgentsRequest {
  readonly goalId: string;
  readonly projectId: string;
  readonly agentIds: readonly string[];
  /** Refuse a lane that exists already instead of answering it. */
  readonly mustBeNew: boolean;
  readonly actor: Actor;
}

export interface RegisteredAgents {
  readonly ok: true;
  readonly agentIds: readonly string[];
  readonly added: readonly string[];
  /** True when the project and the home name the same lanes. */
  readonly isVerified: boolean;
}

/**
 * Registers lanes in the project, mirrors them in the home, then reads both back.
 *
 * Refuses with `home_not_writable`, `unknown_goal`, `goal_not_active`, `agent_identity_already_registered`.
 */
export async function registerAgents(
  home: Database,
  project: Database,
  request: RegisterAgentsRequest,
  ambient: Pick<Ambient, "now">,
): Promise<RegisteredAgents | Refusal> {
  for (const agentId of request.agentIds) refuseCredential(agentId, "agent_id");
  if (!home.isWritable) return refuseHome("register the agent");
  const now = ambient.now();
  const written = await home.write(async (homeTx) => {
    const added = await project.write(async (tx): Promise<{ ok: true; added: readonly string[] } | Refusal> => {
      const goal = await loadOpenGoal(tx, request.goalId);
      if (!goal.ok) return goal;
      const changes: Change[] = [];
      for (const agentId of new Set(request.agentIds)) {
        if ((await findAgent(tx, request.goalId, agentId)) === undefined) {
          const image = { goal_id: request.goalId, agent_id: agentId, registered_at: now };
          changes.push({ type: "agent_registered.v1", image });
        } else if (request.mustBeNew) {
          return refuseRegistered(agentId);
        }
      }
      await commitChanges(tx, { goalId: request.goalId, actor: request.actor, now }, changes);
      return {
        ok: true,
        added: changes.map((change) => ("agent_id" in change.image ? String(change.image.agent_id) : "")),
      };
    });
    if (!added.ok) return added;
    await project.read((tx) => mirrorGoal(homeTx, tx, { goalId: request.goalId, projectId: request.projectId, now }));
    return added;
  });
  if (!written.ok) return written;
  const source = await project.read((tx) => listAgents(tx, request.goalId));
  const agentIds = source.map((agent) => agent.agent_id).toSorted();
  const mirrored = await home.read((tx) => listRegisteredAgentIds(tx, request.goalId));
  return { ok: true, agentIds, added: written.added, isVerified: agentIds.join("\n") === mirrored.join("\n") };
}

function refuseRegistered(agentId: string): Refusal {
  return refuse("agent_identity_already_registered", {
    message: "this lane id is registered in the goal already",
    hint: "choose another --agent-id, or leave out --require-new to take the lane over",
    details: { agent_id: agentId },
  });
}
