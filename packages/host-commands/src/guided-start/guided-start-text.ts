import { neutraliseForTerminal } from "@loopx/contracts";
import { alignRows, showCommand } from "../text-rows.ts";
import type { GatedStartPacket, GuidedStartPacket, ReadyStartPacket } from "./guided-start-packet.ts";

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
    const action = step.command ?? step.command_template ?? step.prompt ?? `see ${step.see ?? "the packet"}`;
    return `${String(index + 1).padStart(2)}. ${step.id}\n    ${showCommand(action)}`;
  });
  const activation = packet.host_activation.steps.map((step) => `  - ${step}`);
  return [
    packet.goal_plan.note,
    ...packet.planning_contract.rules.map((rule) => `  - ${rule}`),
    "",
    ...lines,
    "",
    `Loop on ${packet.host_activation.host_surface}:`,
    ...activation,
    `  - ${packet.host_activation.missing_host_tool_gate}`,
    "",
    `Next: ${steps[0]?.id ?? "nothing"}, then the steps in this order.`,
  ];
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

function listShownChoices(packet: GatedStartPacket): readonly ShownChoice[] {
  const surfaces = packet.host_surface_selection_gate?.choices ?? [];
  const goals = packet.goal_selection_gate?.choices ?? [];
  const newGoal = packet.goal_selection_gate?.new_goal_choice;
  const agents = packet.identity_selection_gate?.choices ?? [];
  return [
    ...surfaces.map((choice) => ({ ...choice, name: choice.host_surface })),
    ...goals.map((choice) => ({ ...choice, name: choice.goal_id, description: choice.objective })),
    ...(newGoal === undefined ? [] : [{ ...newGoal, name: "a new goal" }]),
    ...agents.map((choice) => ({ ...choice, name: choice.agent_id ?? "a new lane", description: choice.mode })),
  ];
}
