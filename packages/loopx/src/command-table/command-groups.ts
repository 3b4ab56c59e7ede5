import { AGENT_COMMANDS } from "./agent-commands.ts";
import type { CommandRecord } from "./command-spec.ts";
import { CONTEXT_COMMANDS } from "./context-commands.ts";
import { DECISION_COMMANDS } from "./decision-commands.ts";
import { EXTENSION_COMMANDS } from "./extension-commands.ts";
import { GATE_COMMANDS } from "./gate-commands.ts";
import { GLOBAL_COMMANDS } from "./global-commands.ts";
import { GOAL_COMMANDS } from "./goal-commands.ts";
import { HOST_COMMANDS } from "./host-commands.ts";
import { REVIEW_COMMANDS } from "./review-commands.ts";
import { MCP_COMMANDS } from "./mcp-commands.ts";
import { SHELL_COMMANDS } from "./shell-commands.ts";
import { STORE_COMMANDS } from "./store-commands.ts";
import { TODO_COMMANDS } from "./todo-commands.ts";
import { TURN_COMMANDS } from "./turn-commands.ts";
import { WORKSTATION_COMMANDS } from "./workstation-commands.ts";

/**
 * The commands by subject, in the order help shows them.
 *
 * A small program is built with these rows without their words for people: it shows no help and no refusal of a line.
 */
export const COMMAND_GROUPS: readonly CommandGroup[] = [
  { title: "Start", commands: HOST_COMMANDS },
  { title: "Turns", commands: TURN_COMMANDS },
  { title: "Todos", commands: TODO_COMMANDS },
  { title: "Goals", commands: GOAL_COMMANDS },
  { title: "Gates and owners", commands: GATE_COMMANDS },
  { title: "Agents and threads", commands: AGENT_COMMANDS },
  { title: "All projects", commands: GLOBAL_COMMANDS },
  { title: "Workstation", commands: WORKSTATION_COMMANDS },
  { title: "Review", commands: REVIEW_COMMANDS },
  { title: "Hosts", commands: MCP_COMMANDS },
  { title: "Context", commands: CONTEXT_COMMANDS },
  { title: "Decisions", commands: DECISION_COMMANDS },
  { title: "Extensions", commands: EXTENSION_COMMANDS },
  { title: "State", commands: STORE_COMMANDS },
  { title: "Shell", commands: SHELL_COMMANDS },
];

export interface CommandGroup {
  readonly title: string;
  readonly commands: CommandRecord;
}

/** Every row with its own type, by the words of its command. */
export type CommandTable = typeof HOST_COMMANDS &
  typeof TURN_COMMANDS &
  typeof TODO_COMMANDS &
  typeof GOAL_COMMANDS &
  typeof GATE_COMMANDS &
  typeof AGENT_COMMANDS &
  typeof GLOBAL_COMMANDS &
  typeof WORKSTATION_COMMANDS &
  typeof REVIEW_COMMANDS &
  typeof MCP_COMMANDS &
  typeof CONTEXT_COMMANDS &
  typeof DECISION_COMMANDS &
  typeof EXTENSION_COMMANDS &
  typeof STORE_COMMANDS &
  typeof SHELL_COMMANDS;
