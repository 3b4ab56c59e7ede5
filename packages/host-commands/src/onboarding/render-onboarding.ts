import { renderActivationCommands, renderActivationContract } from "../activation/activation-contract.ts";
import { IDENTITY_REASONS } from "../gates/identity-gate.ts";
import { findProjectGate } from "../gates/project-gate.ts";
import { decideGoalSelection, type GoalSelection } from "../guided-start/goal-selection.ts";
import { decideIdentity, type IdentityDecision } from "../identity/identity.ts";
import { proposeAgentId } from "../identity/fresh-agent-id.ts";
import type { PrintCommand, PrintedFlag } from "../print-command.ts";
import { surfaceOf } from "../surfaces/surface.ts";
import type { OnboardingBlocker, OnboardingFacts, OnboardingPacket, OnboardingStep } from "./onboarding-packet.ts";

/** Ways out that a packet spells out; a list command shows the others. */
const WAYS_SHOWN = 3;

/**
 * Renders what `agent-onboard --agent-type` answers.
 *
 * Looked at in this order: project, goal, lane, thread binding, loop driver. What is missing is an answer, not a failure.
 */
export function renderOnboarding(facts: OnboardingFacts, print: PrintCommand): OnboardingPacket {
  const settled = settleLane(facts, print);
  const lane = "agentId" in settled ? settled : undefined;
  const goalId = lane?.goalId ?? facts.goalId;
  const agentId = lane?.agentId ?? facts.agentId;
  return {
    ok: true,
    schema_version: "loopx_agent_onboarding_v0",
    agent_type: surfaceOf(facts.hostSurface).agentType,
    host_surface: facts.hostSurface,
    ...(facts.projectRootLabel !== undefined && { project_root_label: facts.projectRootLabel }),
    connection: facts.connection,
    ...(goalId !== undefined && { goal_id: goalId }),
    ...(agentId !== undefined && { agent_id: agentId }),
    ...(facts.threadId !== undefined && { thread_id: facts.threadId }),
    host_loop_activation: renderActivationContract(facts.hostSurface),
    ...("agentId" in settled ? renderSettled(facts, settled, print) : settled),
  };
}

type Blocked = Required<Pick<OnboardingPacket, "blocked_by" | "reason" | "next">>;

interface SettledLane {
  readonly goalId: string;
  readonly agentId: string;
}

function renderSettled(
  facts: OnboardingFacts,
  lane: SettledLane,
  print: PrintCommand,
): Pick<OnboardingPacket, "activation" | "next"> {
  const record = facts.activations.find(({ goalId, agentId }) => goalId === lane.goalId && agentId === lane.agentId);
  const { hostSurface, threadId } = facts;
  const loopDriver = facts.loopDriver ?? record?.loopDriver;
  const activation = renderActivationCommands(
    { hostSurface, target: { ...lane, threadId }, record, loopDriver },
    print,
  );
  if (activation.state !== "current") return { activation, next: [activation.heartbeat_command] };
  const guard = { "goal-id": lane.goalId, "agent-id": lane.agentId, "thread-id": threadId };
  return { activation, next: [print("quota should-run", guard)] };
}

function settleLane(facts: OnboardingFacts, print: PrintCommand): SettledLane | Blocked {
  const gate = findProjectGate(facts);
  if (gate !== undefined) {
    return block("project_setup", `${gate.reason} ${gate.help}`, gate.command === undefined ? [] : [gate.command]);
  }
  const isConnected = facts.connection === "connected";
  const goal = decideGoalSelection({ ...facts, isConnected, newGoal: false });
  if (goal.kind === "new_goal") {
    const reason = isConnected ? "The project has no open goal yet." : "The project is not connected yet.";
    return block("project_not_connected", `${reason} Ask the user for the task.`, [printStart(facts, print)]);
  }
  if (goal.kind === "gate") return blockOnGoal(facts, goal, print);
  const identity = decideIdentity({
    ...facts,
    newPeer: false,
    hasGoalText: false,
    isConnected,
    agentType: surfaceOf(facts.hostSurface).agentType,
  });
  const blocked = findLaneBlocker({ facts, goalId: goal.goalId, identity }, print);
  if (blocked !== undefined) return blocked;
  if (!identity.activationAllowed) throw new RangeError(`nothing blocks ${identity.state}`);
  return { goalId: goal.goalId, agentId: identity.selectedAgentId };
}

function block(blockedBy: OnboardingBlocker, reason: string, next: readonly OnboardingStep[]): Blocked {
  return { blocked_by: blockedBy, reason, next };
}

function blockOnGoal(
  facts: OnboardingFacts,
  { state, candidates }: Extract<GoalSelection, { kind: "gate" }>,
  print: PrintCommand,
): Blocked {
  const ways = candidates.slice(0, WAYS_SHOWN).map(({ goalId }) => printRerun(facts, { "goal-id": goalId }, print));
  const reason = state === "selection_required" ? "Several goals are open: name one." : "No open goal has this id.";
  return block("goal_selection", reason, [ways.length === 0 ? print("goal list", {}) : oneOf(ways)]);
}

interface LaneQuestion {
  readonly facts: OnboardingFacts;
  readonly goalId: string;
  readonly identity: IdentityDecision;
}

function findLaneBlocker({ facts, goalId, identity }: LaneQuestion, print: PrintCommand): Blocked | undefined {
  const goal = { "goal-id": goalId };
  if (!identity.activationAllowed && identity.choices === undefined) {
    const agentId = facts.agentId ?? proposeAgentId(surfaceOf(facts.hostSurface).agentType, []);
    return block("agent_registration", "The goal has no agent yet.", register(facts, { goalId, agentId }, print));
  }
  if (!identity.activationAllowed) {
    const ways = facts.registeredAgents
      .slice(0, WAYS_SHOWN)
      .map((agentId) => printRerun(facts, { ...goal, "agent-id": agentId }, print));
    const agentId = proposeAgentId(surfaceOf(facts.hostSurface).agentType, facts.registeredAgents);
    const fresh = print("register-agent", { ...goal, "agent-id": agentId, "require-new": true, execute: true });
    const reason = `${IDENTITY_REASONS[identity.state]} An existing lane is taken over only by an explicit choice.`;
    const shown = facts.registeredAgents.length > WAYS_SHOWN ? [print("goal show", goal)] : [];
    return block("agent_identity_selection", reason, [...shown, oneOf([...ways, fresh])]);
  }
  const lane = { goalId, agentId: identity.selectedAgentId };
  if (identity.needsRegistration) {
    return block("agent_registration", "This agent is not registered in the goal yet.", register(facts, lane, print));
  }
  const actor = { ...goal, "agent-id": lane.agentId };
  if (identity.needsBind) {
    const bind = print("bind-agent-thread", {
      ...goal,
      "thread-id": facts.threadId,
      "host-surface": facts.hostSurface,
      "agent-id": lane.agentId,
      execute: true,
    });
    const reason = "This thread is not bound to the lane yet.";
    return block("thread_binding", reason, [bind, printRerun(facts, actor, print)]);
  }
  const isUndeclared = facts.hostSurface === "other-agent" && facts.loopDriver === undefined;
  const record = facts.activations.find((one) => one.goalId === goalId && one.agentId === lane.agentId);
  if (!isUndeclared || record?.loopDriver !== undefined) return undefined;
  const declare = printRerun(facts, { ...actor, "loop-driver": "<what wakes the agent>" }, print);
  return block("loop_driver", "This type has no loop of its own: declare what wakes the agent.", [declare]);
}

function register(facts: OnboardingFacts, lane: SettledLane, print: PrintCommand): readonly string[] {
  const actor = { "goal-id": lane.goalId, "agent-id": lane.agentId };
  return [print("register-agent", { ...actor, "require-new": true, execute: true }), printRerun(facts, actor, print)];
}

/** The caller's own command again; once a goal is named it is found from any folder. */
function printRerun(
  facts: OnboardingFacts,
  changes: Readonly<Record<string, PrintedFlag>>,
  print: PrintCommand,
): string {
  return print("agent-onboard", {
    "agent-type": surfaceOf(facts.hostSurface).agentType,
    "thread-id": facts.threadId,
    "loop-driver": facts.loopDriver,
    ...changes,
  });
}

function printStart(facts: OnboardingFacts, print: PrintCommand): string {
  return print("start-goal", {
    guided: true,
    project: facts.projectAsTyped,
    "goal-text": "<the task in the user's words>",
    "host-surface": facts.hostSurface,
    "agent-id": facts.agentId,
    "thread-id": facts.threadId,
  });
}

function oneOf(ways: readonly string[]): OnboardingStep {
  const [only, ...others] = ways;
  return only !== undefined && others.length === 0 ? only : ways;
}
