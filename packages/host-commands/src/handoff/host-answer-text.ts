import { alignRows, showCommand } from "../text-rows.ts";
import type { HandoffPacket, HostHelpPacket, HostSetupPacket } from "./handoff-packet.ts";

/** A handoff or setup packet for people; the next step last. */
export function renderHandoffText(packet: HandoffPacket | HostSetupPacket): string {
  if (!("cli_command" in packet)) {
    return [packet.canonical_command, packet.reason, "", `Next: ${packet.help}`].join("\n");
  }
  const rows = alignRows([
    ["command", packet.canonical_command],
    ["project", packet.project_root_label],
    ["active state id", packet.goal_id],
    ["agent", packet.agent_id],
    ["thread", packet.thread_id],
    ["may write here", packet.authority.project_local_write_allowed ? "yes, after planning" : "no"],
  ]);
  return [rows, "", "Next:", showCommand(packet.cli_command)].join("\n");
}

/** A help packet with the commands it points to, for people; also what a host shows instead of a blocked message. */
export function renderHostHelpText(packet: HostHelpPacket, catalogText: string): string {
  return [packet.message, "", catalogText].join("\n");
}
