import { alignRows, showCommand } from "../text-rows.ts";
import type { OnboardingPacket } from "./onboarding-packet.ts";

/** The packet for people: who and where, what the host has to do, and the command that comes next. */
export function renderOnboardingText(packet: OnboardingPacket): string {
  const { host_loop_activation: contract, activation } = packet;
  const steps = packet.next.flatMap((step) =>
    typeof step === "string" ? [`    ${showCommand(step)}`] : step.map((way) => `    either  ${showCommand(way)}`),
  );
  return [
    `Onboarding an agent of type ${packet.agent_type}`,
    alignRows([
      ["project", packet.project_root_label],
      ["active state id", packet.goal_id],
      ["agent", packet.agent_id],
      ["thread", packet.thread_id],
      ["loop", STATES[activation?.state ?? "none"]],
      ["recorded", activation?.recorded_at],
      ["driver", activation?.loop_driver],
    ]),
    "",
    `The loop belongs to ${contract.host_mutation.owner}; it is set up there:`,
    ...contract.steps.map((step, at) => `  ${at + 1}. ${inWords(step)}`),
    ...(contract.paste === undefined ? [] : [`  By hand: paste ${inWords(contract.paste)}`]),
    `  If that can't be done: ${inWords(contract.host_mutation.missing_host_tool_gate)}`,
    "",
    "It is set up when:",
    ...contract.success_criteria.map((criterion) => `  - ${inWords(criterion)}`),
    ...(activation === undefined
      ? ["", "Its commands follow once project, goal and agent are settled."]
      : [
          "",
          "Its commands:",
          `  task body  ${showCommand(activation.heartbeat_command)}`,
          `  record     ${showCommand(activation.record_command)}`,
          ...(activation.drive_command === undefined
            ? []
            : [`  or drive   ${showCommand(activation.drive_command)}  (a person's choice, at a terminal)`]),
        ]),
    "",
    ...(packet.reason === undefined ? [] : [packet.reason]),
    ...(steps.length === 0 ? [] : ["Next:", ...steps]),
  ].join("\n");
}

const STATES: Readonly<Record<"none" | "missing" | "stale" | "current", string | undefined>> = {
  none: undefined,
  missing: "no record that it was set up",
  stale: "stale: another task body or surface is on record",
  current: "on record with the current task body",
};

/** The contract speaks by the packet's own keys; people are told what they stand for. */
function inWords(line: string): string {
  return line
    .replaceAll("heartbeat_command", "loopx heartbeat-prompt")
    .replaceAll("record_command", "the command that records it")
    .replaceAll("<task_body>", "<task body>")
    .replaceAll("task_body", "the task body");
}
