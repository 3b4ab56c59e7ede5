import type { Refusal } from "@loopx/contracts";
import { HOST_COMMANDS, START_COMMAND, STATUS_COMMAND, type HostCommand } from "../registry/host-command.ts";
import type { CommandPrefix } from "../surfaces/command-prefixes.ts";
import { findTextRefusal } from "./find-text-refusal.ts";

/** What a visible user message is to LoopX. */
export type HostMessage =
  /** Not ours: the host goes on as if LoopX weren't there. */
  | { readonly kind: "ordinary" }
  /** Ours by its beginning, and none of the commands: answered with help, never passed on as chat. */
  | { readonly kind: "unknown" }
  /** A command whose text can't be handed over. */
  | { readonly kind: "refused"; readonly command: HostCommand; readonly refusal: Refusal }
  | {
      readonly kind: "command";
      readonly command: HostCommand;
      /** The whole message; a legacy token in it is canonical. */
      readonly rawCommand: string;
      /** What follows the token and the one run of white space behind it, byte for byte; undefined when nothing does. */
      readonly taskText: string | undefined;
    };

const LOOPX = "loopx";
/** The workflow skill: hosts that know it run it themselves. */
const WORKFLOW_SKILL = "loopx-project";

/**
 * Reads a visible user message by the rules of seed 003: only the exact token at offset 0 is a command, followed by the end
 * or by `[ \t\r\n]`. No other white space counts: NBSP or U+3000 behind `/loopx` make it ordinary chat.
 *
 * Pure, and linear in the message. Everything that begins with `/loopx-` or `/loop-global-` and is none of the commands is
 * `unknown`; a text that holds NUL, ill-formed Unicode, a credential or more than 16 KiB is `refused`.
 */
export function parseHostMessage(message: string, prefixes: readonly CommandPrefix[]): HostMessage {
  const prefix = prefixes.find((candidate) => message.startsWith(candidate));
  if (prefix === undefined) return { kind: "ordinary" };
  const name = readToken(message).slice(prefix.length);
  if (!isOurs(name)) return { kind: "ordinary" };
  const text = message.slice(prefix.length + name.length).replace(/^[ \t\r\n]+/, "");
  const command = findCommand(`/${name}`, text !== "");
  if (command === undefined) return { kind: "unknown" };
  const refusal = findTextRefusal(text);
  if (refusal !== undefined) return { kind: "refused", command, refusal };
  return {
    kind: "command",
    command,
    rawCommand:
      command.legacyToken === `/${name}` ? command.token + message.slice(command.legacyToken.length) : message,
    taskText: text === "" ? undefined : text,
  };
}

function readToken(message: string): string {
  const end = message.search(/[ \t\r\n]/);
  return end === -1 ? message : message.slice(0, end);
}

function isOurs(name: string): boolean {
  if (name === WORKFLOW_SKILL) return false;
  return name === LOOPX || name.startsWith("loopx-") || name.startsWith("loop-global-");
}

function findCommand(token: string, hasText: boolean): HostCommand | undefined {
  if (token === STATUS_COMMAND.token) return hasText ? START_COMMAND : STATUS_COMMAND;
  return HOST_COMMANDS.find((command) => command.token === token || command.legacyToken === token);
}
