import type { HandoffPacket, HostSetupPacket } from "../handoff/handoff-packet.ts";
import type { PrintCommand } from "../print-command.ts";
import { HOOK_CONTRACTS, type HookHost } from "./hook-host.ts";
import type { HostSurface } from "../surfaces/surface.ts";

/** Where the hook runs, for the command that reads the message again. */
export interface HookPlace {
  readonly host: HookHost;
  readonly hostSurface: HostSurface | undefined;
}

/**
 * Renders what the host adds to the model's context: one sentence, and the packet whole.
 *
 * A host shortens what is over its cap. Where the task text doesn't fit, the packet leaves out every copy of it and names
 * the command that prints the whole handoff from the message, which the agent has in front of it, with the text's digest.
 */
export function renderHookContext(
  packet: HandoffPacket | HostSetupPacket,
  place: HookPlace,
  print: PrintCommand,
): string {
  const whole = `${INTRODUCTION}\n${JSON.stringify(packet)}`;
  const isWhole = whole.length <= HOOK_CONTRACTS[place.host].contextMaxCharacters;
  if (isWhole || !("cli_command" in packet)) return whole;
  return `${INTRODUCTION}\n${JSON.stringify(withoutText(packet, place, print))}`;
}

const INTRODUCTION =
  "LoopX read the user's message as a command. Follow this handoff and do not read the message as a command again; it grants nothing that the LoopX CLI would ask about.";

function withoutText(packet: HandoffPacket, place: HookPlace, print: PrintCommand): object {
  const { raw_command: _raw, task_text: _text, cli_argv: _argv, cli_command: _line, ...rest } = packet;
  return {
    ...rest,
    task_text_omitted: "longer than the host takes here; it is the user's message behind the command",
    handoff_command: print("host-parse", {
      "host-surface": place.hostSurface ?? `<${HOOK_CONTRACTS[place.host].surfaces.join("|")}>`,
      "ui-surface": packet.host_surface,
      "thread-id": packet.thread_id,
      message: "-",
    }),
    handoff_command_stdin: "the user's whole message, exactly; compare task_text_digest",
  };
}
