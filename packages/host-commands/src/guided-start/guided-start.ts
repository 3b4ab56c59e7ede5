import { describeContents } from "@loopx/contracts";
import type { RecordedActivation } from "../activation/activation-state.ts";
import { renderActivation } from "../activation/activation.ts";
import { renderCommandPackDetail } from "../command-pack/command-pack-detail.ts";
import { renderGoalSelectionGate } from "../gates/goal-selection-gate.ts";
import { renderHostSurfaceGate } from "../gates/host-surface-gate.ts";
import { renderIdentityGate } from "../gates/identity-gate.ts";
import { findProjectGate } from "../gates/project-gate.ts";
import { printRerunCommand } from "../gates/rerun.ts";
import { decideIdentity, type IdentityDecision } from "../identity/identity.ts";
import type { PrintCommand } from "../print-command.ts";
import { surfaceOf, type HostSurface } from "../surfaces/surface.ts";
import { decideGoalSelection } from "./goal-selection.ts";
import type { GuidedStartFacts } from "./guided-start-facts.ts";
import type {
  GatedStartPacket,
  GuidedStartBlocker,
  GuidedStartHead,
  GuidedStartPacket,
  ReadyStartPacket,
} from "./guided-start-packet.ts";
import { renderOrderedSteps, type GuidedStep, type SettledStart } from "./ordered-steps.ts";
import { PLANNING_CONTRACT } from "./planning-contract.ts";
import { describeSafety } from "./safety-contract.ts";

/**
 * Renders what `start-goal --guided` answers: the ordered transaction of a start, or the one gate that stands before it.
 *
 * Looked at in this order: project, host surface, goal, identity. A gate is an answer, not a failure: `ok` is true. Bytes,
 * minified and without the caller's own text: any gate 2,048, a ready start 4,096.
 */
export function renderGuidedStart(facts: GuidedStartFacts, print: PrintCommand): GuidedStartPacket {
  const projectGate = findProjectGate(facts);
  if (projectGate !== undefined) {
    return { ...renderBlockedHead(facts, "project_setup"), project_gate: projectGate };
  }
  if (facts.hostSurface === undefined) {
    const gate = renderHostSurfaceGate(facts, print);
    return { ...renderBlockedHead(facts, "host_surface_selection"), host_surface_selection_gate: gate };
  }
  const selection = decideGoalSelection({ ...facts, isConnected: facts.connection === "connected" });
  if (selection.kind === "gate") {
    const gate = renderGoalSelectionGate(selection, facts, print);
    return { ...renderBlockedHead(facts, "goal_selection"), goal_selection_gate: gate };
  }
  const settled = { ...facts, ...settleGoal(facts, selection), hostSurface: facts.hostSurface };
  const identity = decideIdentity({
    ...settled,
    hasGoalText: true,
    isConnected: facts.connection === "connected",
    agentType: surfaceOf(facts.hostSurface).agentType,
  });
  if (!identity.activationAllowed) return renderIdentityBlock(settled, identity, print);
  return renderReadyStart({ facts: settled, selection, identity }, facts.hostSurface, print);
}

/** A goal that doesn't exist yet has no lanes and no bindings, whatever another goal of the project has. */
function settleGoal(
  facts: GuidedStartFacts,
  selection: SettledStart["selection"],
): Pick<GuidedStartFacts, "registeredAgents" | "binding"> & { readonly goalId: string } {
  const goalId = selection.goalId;
  if (selection.kind === "existing_goal") {
    return { goalId, registeredAgents: facts.registeredAgents, binding: facts.binding };
  }
  const status = facts.threadId === undefined ? "unavailable" : "missing";
  return { goalId, registeredAgents: [], binding: { status } };
}

function renderIdentityBlock(
  facts: GuidedStartFacts & { readonly goalId: string },
  identity: Extract<IdentityDecision, { activationAllowed: false }>,
  print: PrintCommand,
): GatedStartPacket {
  if (identity.choices === undefined) throw new RangeError("a start with task text always has a lane to settle");
  const gate = renderIdentityGate(identity, facts, print);
  return { ...renderBlockedHead(facts, "agent_identity_selection"), identity_selection_gate: gate };
}

function renderReadyStart(start: SettledStart, hostSurface: HostSurface, print: PrintCommand): ReadyStartPacket {
  const { facts, selection, identity } = start;
  const agentId = identity.selectedAgentId;
  const steps = renderOrderedSteps(start, print);
  const settled = { ...facts, goalId: selection.goalId, agentId };
  return {
    ...renderHead(settled, steps),
    goal_plan: {
      mode: selection.kind,
      sets_objective: steps.some((step) => step.id === "connect_if_needed"),
      note:
        selection.kind === "new_goal"
          ? "goal_text becomes the goal's objective."
          : "The goal keeps its objective; goal_text is planned as work for it.",
    },
    planning_contract: PLANNING_CONTRACT,
    host_activation: renderActivation(
      {
        hostSurface,
        target: { goalId: selection.goalId, agentId, threadId: facts.threadId },
        record: facts.activations.find((record) => isOfLane(record, selection.goalId, agentId)),
      },
      print,
    ),
    detail_command: printRerunCommand(settled, print, { "include-command-pack-detail": true }),
    ...(facts.includeDetail && { command_pack: renderCommandPackDetail(settled, print) }),
  };
}

function isOfLane(record: RecordedActivation, goalId: string, agentId: string): boolean {
  return record.goalId === goalId && record.agentId === agentId;
}

const GATE_STEPS: Readonly<Record<GuidedStartBlocker, GuidedStep>> = {
  project_setup: { id: "set_up_project", kind: "project_gate" },
  host_surface_selection: { id: "select_host_surface", kind: "host_surface_selection_gate" },
  goal_selection: { id: "select_goal", kind: "goal_selection_gate" },
  agent_identity_selection: { id: "select_agent_identity", kind: "identity_selection_gate" },
};

function renderBlockedHead(facts: GuidedStartFacts, blockedBy: GuidedStartBlocker): GuidedStartHead {
  return renderHead(facts, [GATE_STEPS[blockedBy]], blockedBy);
}

function renderHead(
  facts: GuidedStartFacts,
  steps: readonly GuidedStep[],
  blockedBy?: GuidedStartBlocker,
): GuidedStartHead {
  return {
    ok: true,
    schema_version: "loopx_start_goal_guided_v0",
    read_only: facts.performedEffects.length === 0,
    guided: true,
    ...(facts.projectRootLabel !== undefined && { project_root_label: facts.projectRootLabel }),
    ...(facts.goalId !== undefined && { goal_id: facts.goalId }),
    ...(facts.agentId !== undefined && { agent_id: facts.agentId }),
    ...(facts.threadId !== undefined && { thread_id: facts.threadId }),
    ...(facts.hostSurface !== undefined && { host_surface: facts.hostSurface }),
    goal_text: facts.goalText,
    task_text_contains: describeContents(facts.goalText),
    guided_transaction: {
      mode: "dry_run_preview",
      writes_now: facts.performedEffects.length > 0,
      spends_quota_now: facts.performedEffects.includes("quota_spend"),
      ...(blockedBy !== undefined && { blocked_by: blockedBy }),
      ordered_steps: steps,
    },
    safety_contract: describeSafety(facts.performedEffects, steps),
  };
}
