import type { IdentityDecision } from "../identity/identity.ts";
import type { PrintCommand } from "../print-command.ts";
import type { GoalSelection } from "./goal-selection.ts";
import type { GuidedStartFacts } from "./guided-start-facts.ts";

export type GuidedStepKind =
  | "read_only"
  | "conditional_mutation"
  | "identity_mutation"
  | "model_checkpoint"
  | "operator_or_agent_actions"
  | "state_sync"
  | "host_loop"
  | "guard"
  | "project_gate"
  | "host_surface_selection_gate"
  | "goal_selection_gate"
  | "identity_selection_gate";

/**
 * One step of the guided start, to be done in order. Exactly one of command, command_template, prompt and see is there; a
 * gate has none of them, the packet's key of the same name as its kind holds it.
 */
export interface GuidedStep {
  readonly id: string;
  readonly kind: GuidedStepKind;
  /** Runs as it stands. */
  readonly command?: string;
  /** Runs once for each todo, with its `<…>` words replaced. */
  readonly command_template?: string;
  readonly prompt?: string;
  /** The key of this packet that says what to do. */
  readonly see?: string;
  readonly must_stop_on_failure?: true;
  readonly expected_result?: object;
}

/** The facts once goal and lane are settled. */
export interface SettledStart {
  readonly facts: GuidedStartFacts;
  readonly selection: Exclude<GoalSelection, { kind: "gate" }>;
  readonly identity: Extract<IdentityDecision, { activationAllowed: true }>;
}

/**
 * The ordered transaction of a start that nothing blocks (seed 003: plan before todos, bind before todos, activate after).
 *
 * Commands after the connection name the goal only: they work from any directory of this machine.
 */
export function renderOrderedSteps(start: SettledStart, print: PrintCommand): readonly GuidedStep[] {
  const { facts, selection, identity } = start;
  const goal = { "goal-id": selection.goalId };
  const actor = { ...goal, "agent-id": identity.selectedAgentId };
  return [
    { id: "inspect_connection", kind: "read_only", command: printInspection(start, print) },
    ...(selection.kind === "new_goal" ? [connectStep(start, print)] : []),
    ...(identity.needsRegistration ? [registerStep(actor, print)] : []),
    ...(identity.needsBind ? [bindStep(start, print)] : []),
    {
      id: "plan_ranked_todos",
      kind: "model_checkpoint",
      prompt: "Plan all todos for goal_text by planning_contract before you write one.",
    },
    {
      id: "write_ordered_todos",
      kind: "operator_or_agent_actions",
      command_template: print("todo add", {
        ...goal,
        role: "agent",
        priority: "<P0|P1|P2>",
        text: "<todo text>",
        "agent-id": identity.selectedAgentId,
      }),
    },
    { id: "refresh_state", kind: "state_sync", command: print("refresh-state", actor) },
    { id: "activate_host_loop", kind: "host_loop", see: "host_activation" },
    {
      id: "quota_guard",
      kind: "guard",
      command: print("quota should-run", { ...actor, "thread-id": facts.threadId }),
    },
  ];
}

function printInspection({ facts, selection }: SettledStart, print: PrintCommand): string {
  if (selection.kind === "existing_goal") return print("status", { "goal-id": selection.goalId });
  return print("bootstrap-command-pack", { project: facts.projectAsTyped });
}

function connectStep({ facts, selection }: SettledStart, print: PrintCommand): GuidedStep {
  return {
    id: "connect_if_needed",
    kind: "conditional_mutation",
    command: print("bootstrap", {
      project: facts.projectAsTyped,
      "goal-id": selection.goalId,
      objective: facts.goalText,
    }),
    must_stop_on_failure: true,
  };
}

function registerStep(actor: Readonly<Record<string, string>>, print: PrintCommand): GuidedStep {
  return {
    id: "register_agent",
    kind: "identity_mutation",
    command: print("register-agent", { ...actor, "require-new": true, execute: true }),
    must_stop_on_failure: true,
  };
}

/** Seed 003: the binding is persisted, and its source and global read-back verify, before any todo is written. */
function bindStep({ facts, selection, identity }: SettledStart, print: PrintCommand): GuidedStep {
  return {
    id: "bind_thread_identity",
    kind: "identity_mutation",
    command: print("bind-agent-thread", {
      "goal-id": selection.goalId,
      "thread-id": facts.threadId,
      "host-surface": facts.hostSurface,
      "agent-id": identity.selectedAgentId,
      execute: true,
    }),
    must_stop_on_failure: true,
    expected_result: { ok: true, global_sync: { ok: true }, registration_readback: { verified: true } },
  };
}
