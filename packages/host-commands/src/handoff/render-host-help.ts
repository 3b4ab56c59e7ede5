import { PROJECT_GATE_WORDS } from "../gates/project-gate.ts";
import { SLASH_HELP_COMMAND } from "../registry/command-catalog.ts";
import { HOST_COMMANDS, type HostCommand } from "../registry/host-command.ts";
import type { HostHelpPacket, HostSetupPacket } from "./handoff-packet.ts";

/** The help for a message that begins like a command of ours and is none. Nothing of the message is repeated. */
export function renderUnknownHelp(): HostHelpPacket {
  return {
    ok: false,
    schema_version: "loopx_host_command_help_v0",
    reason: "unknown_command",
    message: "This is no LoopX command, so the message was not passed on to the agent.",
    help_command: SLASH_HELP_COMMAND,
    commands: HOST_COMMANDS.map((command) => command.command),
  };
}

/** The packet of a project command where no project was resolved. */
export function renderHostSetup(command: HostCommand): HostSetupPacket {
  return {
    ok: true,
    schema_version: "loopx_host_command_setup_v0",
    state: "project_not_resolved",
    canonical_command: command.command,
    ...PROJECT_GATE_WORDS.project_not_resolved,
    help_command: SLASH_HELP_COMMAND,
  };
}
