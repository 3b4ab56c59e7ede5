import { cutText } from "@loopx/contracts";
import { fitChoices } from "../gates/fit-choices.ts";
import { findProjectGate } from "../gates/project-gate.ts";
import { describeSafety } from "../guided-start/safety-contract.ts";
import { decideIdentity, type IdentityDecision } from "../identity/identity.ts";
import type { PrintCommand } from "../print-command.ts";
import { surfaceOf } from "../surfaces/surface.ts";
import type { CommandPackFacts } from "./command-pack-facts.ts";
import type { CommandPackPacket } from "./command-pack-packet.ts";
import { recommendNextStep } from "./next-step.ts";

const OBJECTIVE_SHOWN_GRAPHEMES = 120;

/**
 * Renders what `bootstrap-command-pack` answers, the command behind bare `/loopx`.
 *
 * The task text isn't repeated as a field: with one, the next step is the guided start that carries it. Without a project
 * root the packet is a setup help.
 */
export function renderCommandPack(facts: CommandPackFacts, print: PrintCommand): CommandPackPacket {
  const identity = decideIdentity({
    ...facts,
    hasGoalText: facts.goalText !== undefined,
    isConnected: facts.connection === "connected",
    agentType: facts.hostSurface === undefined ? "agent" : surfaceOf(facts.hostSurface).agentType,
  });
  const projectGate = findProjectGate(facts);
  const goals = facts.goals.map((goal) => ({
    goal_id: goal.goalId,
    objective: cutText(goal.objective, OBJECTIVE_SHOWN_GRAPHEMES).text,
    status: goal.status,
  }));
  return {
    ok: true,
    schema_version: "loopx_bootstrap_command_pack_v0",
    read_only: facts.performedEffects.length === 0,
    slash_command: facts.goalText === undefined ? "/loopx" : "/loopx <goal text>",
    slash_forms: ["/loopx", "/loopx <goal text>"],
    canonical_cli_command: print("bootstrap-command-pack", { project: facts.projectAsTyped }),
    ...(facts.projectRootLabel !== undefined && { project_root_label: facts.projectRootLabel }),
    ...(facts.followedWorktreeToLabel !== undefined && { followed_worktree_to_label: facts.followedWorktreeToLabel }),
    connection: facts.connection,
    goal_count: goals.length,
    goals: fitChoices(goals),
    identity: renderIdentity(identity, facts),
    ...(projectGate !== undefined && { project_gate: projectGate }),
    recommended_next_step: recommendNextStep(facts, identity, print),
    safety_contract: describeSafety(facts.performedEffects, []),
  };
}

function renderIdentity(identity: IdentityDecision, facts: CommandPackFacts): CommandPackPacket["identity"] {
  return {
    state: identity.state,
    activation_allowed: identity.activationAllowed,
    registered_agent_count: facts.registeredAgents.length,
    ...(identity.activationAllowed && { agent_id: identity.selectedAgentId }),
    ...(facts.threadId !== undefined && { thread_id: facts.threadId }),
  };
}
