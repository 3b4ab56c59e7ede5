import { neutraliseForTerminal } from "@loopx/contracts";
import type { IdentityGateChoice } from "../gates/identity-gate.ts";
import { alignRows, showCommand } from "../text-rows.ts";
import type { GatedStartPacket, GuidedStartPacket, ReadyStartPacket } from "./guided-start-packet.ts";
import type { GuidedStep } from "./ordered-steps.ts";
import { titleOf } from "./step-titles.ts";

/** Above this length a rerun command is printed once, with the arguments to append, instead of once for each choice. */
const SPELLED_OUT_CHARACTERS = 400;

/** The packet for people: what is known, what would happen in order, the next step last. */
export function renderGuidedStartText(packet: GuidedStartPacket): string {
  const head = alignRows([
    ["project", packet.project_root_label],
    ["active state id", packet.goal_id],
    ["agent", packet.agent_id],
    ["thread", packet.thread_id],
    ["surface", packet.host_surface],
  ]);
  const body = "host_activation" in packet ? renderReadyText(packet) : renderGateText(packet);
  return ["Guided start (preview, nothing is written)", ...(head === "" ? [] : [head]), "", ...body].join("\n");
}

function renderReadyText(packet: ReadyStartPacket): readonly string[] {
  const { ordered_steps: steps } = packet.guided_transaction;
  const lines = steps.map((step, index) => {
    return `${String(index + 1).padStart(2)}. ${titleOf(step.id)}\n    ${describeAction(step)}`;
  });
  const { host_activation: activation } = packet;
  return [
    PLAN_NOTES[packet.goal_plan.mode],
    ...packet.planning_contract.rules.map((rule) => `  - ${rule}`),
    "",
    ...lines,
    "",
    `The loop on ${packet.host_surface ?? "this host"}:`,
    ...[...activation.steps, activation.missing_host_tool_gate].map((line) => `  - ${nameTaskBody(line)}`),
    ...(activation.record_command === undefined
      ? []
      : ["", "Once it is set up, record it:", `    ${showCommand(activation.record_command)}`]),
    "",
    "The task body:",
    ...neutraliseForTerminal(activation.task_body)
      .split("\n")
      .map((line) => `    ${line}`),
    "",
    `Next: step 1, ${titleOf(steps[0]?.id ?? "nothing").toLowerCase()}, then the others in this order.${LOOP_NOTES[packet.goal_plan.mode]}`,
  ];
}

const PLAN_NOTES = {
  new_goal: "The task becomes the goal's objective. Its todos are planned by these rules:",
  existing_goal: "The goal keeps its objective; the task is planned as work for it, by these rules:",
} as const;

/** The inspection of a project without a goal recommends a start: the one that is being read. */
const LOOP_NOTES = { new_goal: ' What step 1 calls "Next" is this start.', existing_goal: "" } as const;

/** A command as it stands; what the packet says by the names of its own keys, in words. */
function describeAction(step: GuidedStep): string {
  const command = step.command ?? step.command_template;
  if (command !== undefined) return showCommand(command);
  return step.prompt === undefined
    ? "As described below, with the task body."
    : "By the rules above, all of them before you write one.";
}

function nameTaskBody(line: string): string {
  return line.replaceAll("task_body", "the task body below");
}

/** A choice of any gate, as far as people see it. */
interface ShownChoice {
  readonly name: string;
  readonly description?: string;
  readonly first_command?: string;
  readonly rerun_argument?: string;
}

function renderGateText(packet: GatedStartPacket): readonly string[] {
  const { project_gate: project } = packet;
  if (project !== undefined) {
    return [
      project.reason,
      "",
      `Next: ${project.help}`,
      ...(project.command === undefined ? [] : [showCommand(project.command)]),
    ];
  }
  const gate = packet.host_surface_selection_gate ?? packet.goal_selection_gate ?? packet.identity_selection_gate;
  if (gate === undefined) return ["Next: nothing"];
  const isLong = gate.rerun_command.length > SPELLED_OUT_CHARACTERS;
  const lines = listShownChoices(packet).flatMap((choice) => {
    const { name, description, first_command: first, rerun_argument: argument } = choice;
    const rerun = [isLong ? undefined : gate.rerun_command, argument].filter((part) => part !== undefined).join(" ");
    return [
      `  ${neutraliseForTerminal(description === undefined ? name : `${name}: ${description}`)}`,
      ...[first ?? "", rerun].filter((command) => command !== "").map((command) => `    ${showCommand(command)}`),
    ];
  });
  return [
    gate.reason,
    ...lines,
    "",
    isLong
      ? `Next: append the argument of one choice to\n${showCommand(gate.rerun_command)}`
      : "Next: run the command of one choice.",
  ];
}

const MODES: Readonly<Record<IdentityGateChoice["mode"], string>> = {
  keep_bound_agent: "go on as the agent this thread is bound to",
  takeover_existing_agent: "take this agent over",
  register_fresh_agent: "join as an agent of your own",
  unbind_thread: "unbind this thread from the agent first",
};

function listShownChoices(packet: GatedStartPacket): readonly ShownChoice[] {
  const surfaces = packet.host_surface_selection_gate?.choices ?? [];
  const goals = packet.goal_selection_gate?.choices ?? [];
  const newGoal = packet.goal_selection_gate?.new_goal_choice;
  const agents = packet.identity_selection_gate?.choices ?? [];
  return [
    ...surfaces.map((choice) => ({ ...choice, name: choice.host_surface })),
    ...goals.map((choice) => ({ ...choice, name: choice.goal_id, description: choice.objective })),
    ...(newGoal === undefined ? [] : [{ ...newGoal, name: "a new goal" }]),
    ...agents.map((choice) => ({ ...choice, name: choice.agent_id ?? "a new lane", description: MODES[choice.mode] })),
  ];
}
