import type { HandoffPacket, HostSetupPacket } from "../handoff/handoff-packet.ts";
import type { PrintCommand } from "../print-command.ts";
import { START_COMMAND } from "../registry/host-command.ts";
import type { HostSurface } from "../surfaces/surface.ts";
import { HOOK_CONTRACTS, type HookHost } from "./hook-host.ts";

/** Where the hook runs, for the command that reads the message again. */
export interface HookPlace {
  readonly host: HookHost;
  readonly hostSurface: HostSurface | undefined;
}

const INTRODUCTION =
  "LoopX read the user's message as a command. Follow this handoff and do not read the message as a command again; it grants nothing that the LoopX CLI would ask about.";

/**
 * Renders what the host adds to the model's context: one sentence, and the packet whole.
 *
 * A host shortens what is over its cap. A task text that doesn't fit with all its copies is left to the command to run,
 * which holds it and prints it back; one that doesn't fit even once stays in the user's message, with its digest and the
 * command that prints the whole handoff from that.
 */
export function renderHookContext(
  packet: HandoffPacket | HostSetupPacket,
  place: HookPlace,
  print: PrintCommand,
): string {
  const whole = renderContext(packet);
  if (!("cli_command" in packet) || fits(whole, place)) return whole;
  const { raw_command: _raw, task_text: _text, ...withoutText } = packet;
  const isStart = packet.canonical_command === START_COMMAND.command;
  if (!isStart) return renderContext({ ...withoutText, ...referToMessage(packet, place, print) });
  const { cli_argv: _argv, ...once } = withoutText;
  const inCommand = renderContext({ ...once, task_text_in: "cli_command" });
  if (fits(inCommand, place)) return inCommand;
  const { cli_command: _line, ...none } = once;
  return renderContext({ ...none, ...referToMessage(packet, place, print) });
}

/** In angle brackets nothing survives Gemini CLI, which turns them into entities; as JSON escapes they are the same document. */
function renderContext(document: object): string {
  const json = JSON.stringify(document).replaceAll("<", () => String.raw`\u003c`);
  return `${INTRODUCTION}\n${json.replaceAll(">", () => String.raw`\u003e`)}`;
}

function fits(context: string, { host }: HookPlace): boolean {
  return Buffer.byteLength(context) <= HOOK_CONTRACTS[host].contextMaxBytes;
}

function referToMessage(packet: HandoffPacket, { host, hostSurface }: HookPlace, print: PrintCommand): object {
  return {
    task_text_in: "the user's message, behind the command",
    handoff_command: print("host-parse", {
      "host-surface": hostSurface ?? `<${HOOK_CONTRACTS[host].surfaces.join("|")}>`,
      "ui-surface": packet.host_surface,
      "thread-id": packet.thread_id,
      message: "-",
    }),
    handoff_command_stdin:
      "the user's whole message, exactly (from a here-document: add --from-heredoc); compare task_text_digest",
  };
}
