import { parseHostMessage } from "../../src/parsing/parse-host-message.ts";
import type { HandoffFacts } from "../../src/handoff/handoff-facts.ts";
import type { HandoffPacket, HostSetupPacket } from "../../src/handoff/handoff-packet.ts";
import { renderHandoff } from "../../src/handoff/render-handoff.ts";
import { printCommand } from "../printed-commands.ts";

/** A Claude Code session at the root of a project with one goal, bound to a lane. */
export const BOUND_SESSION: HandoffFacts = {
  hostSurface: "claude-code",
  uiSurface: "chat_box",
  project: { label: "demo", argument: "." },
  goalId: "demo-goal",
  agentId: "claude-code-1",
  threadId: "3f0c2d9e-7c31-4d02-9b6e-2f1c0de9a7b4",
};

/** The handoff of a message that is a command. */
export function handOff(message: string, facts: HandoffFacts = BOUND_SESSION): HandoffPacket | HostSetupPacket {
  const parsed = parseHostMessage(message, ["/", "$"]);
  if (parsed.kind !== "command") throw new Error(`${message} is ${parsed.kind}`);
  return renderHandoff(parsed, facts, printCommand);
}

/** The same where a project is there. */
export function handOffWhole(message: string, facts: HandoffFacts = BOUND_SESSION): HandoffPacket {
  const packet = handOff(message, facts);
  if ("cli_command" in packet) return packet;
  throw new Error(`${message} has no project`);
}
