import { findProjectGate } from "../gates/project-gate.ts";
import type { IdentityDecision } from "../identity/identity.ts";
import type { PrintCommand } from "../print-command.ts";
import type { CommandPackPacket } from "./command-pack-packet.ts";
import type { CommandPackFacts } from "./command-pack-facts.ts";

type NextStep = CommandPackPacket["recommended_next_step"];

/** The one thing to do next. Bare `/loopx` reads: it never recommends a write without the user's word. */
export function recommendNextStep(facts: CommandPackFacts, identity: IdentityDecision, print: PrintCommand): NextStep {
  const projectGate = findProjectGate(facts);
  if (projectGate !== undefined) {
    const command = projectGate.command === undefined ? {} : { command: projectGate.command };
    return { kind: "set_up_project", requires_user_confirmation: true, help: projectGate.help, ...command };
  }
  if (facts.goalText !== undefined) return startStep(facts, facts.goalText, print);
  if (facts.connection === "not_connected") {
    return {
      kind: "confirm_before_bootstrap_mutation",
      requires_user_confirmation: true,
      command: printStart(facts, "<goal text>", print),
      help: "Ask the user what the goal is; this preview then shows the connection before it is made.",
    };
  }
  const open = facts.goals.filter((goal) => goal.status === "active" || goal.status === "paused");
  const goalId = facts.goalId ?? (open.length === 1 ? open[0]?.goalId : undefined);
  if (goalId === undefined && open.length > 1) {
    return { kind: "select_goal", requires_user_confirmation: false, command: print("status", {}) };
  }
  if (goalId === undefined || facts.registeredAgents.length === 0) {
    return {
      kind: "goal_plan_write_and_activate",
      requires_user_confirmation: true,
      command: printStart(facts, "<goal text>", print),
      help: "Ask the user for the task text.",
    };
  }
  if (!identity.activationAllowed) {
    return {
      kind: "select_agent_identity",
      requires_user_confirmation: false,
      command: print("goal show", { "goal-id": goalId }),
      help: "It lists the goal's agents: go on with --agent-id=AGENT of one of them, or take part as a new one with --new-peer.",
    };
  }
  return {
    kind: "status_and_loop_activation",
    requires_user_confirmation: false,
    command: print("status", { "goal-id": goalId }),
  };
}

/** With a task text the guided start takes over; it asks for the surface itself when none was named. */
function startStep(facts: CommandPackFacts, goalText: string, print: PrintCommand): NextStep {
  return {
    kind: facts.hostSurface === undefined ? "select_host_surface" : "goal_plan_write_and_activate",
    requires_user_confirmation: false,
    command: printStart(facts, goalText, print),
  };
}

function printStart(facts: CommandPackFacts, goalText: string, print: PrintCommand): string {
  return print("start-goal", {
    guided: true,
    project: facts.projectAsTyped,
    "goal-id": facts.goalId,
    "host-surface": facts.hostSurface,
    "agent-id": facts.agentId,
    "thread-id": facts.threadId,
    "new-peer": facts.newPeer,
    "goal-text": goalText,
  });
}
