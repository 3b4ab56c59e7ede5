import { AGENT_COMMANDS } from "./agent-commands.ts";
import type { CommandRecord, CommandSpec } from "./command-spec.ts";
import { CONTEXT_COMMANDS } from "./context-commands.ts";
import { DECISION_COMMANDS } from "./decision-commands.ts";
import { EXTENSION_COMMANDS } from "./extension-commands.ts";
import type { FlagInputs, FlagValues } from "./flag-spec.ts";
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

/** The commands by subject, in the order help shows them. */
export const COMMAND_GROUPS: readonly CommandGroup[] = [
  { title: "Start", commands: HOST_COMMANDS },
  { title: "Turns", commands: TURN_COMMANDS },
  { title: "Todos", commands: TODO_COMMANDS },
  { title: "Goals", commands: GOAL_COMMANDS },
  { title: "Gates and owners", commands: GATE_COMMANDS },
  { title: "Agents and threads", commands: AGENT_COMMANDS },
  { title: "All projects", commands: GLOBAL_COMMANDS },
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

type CommandTable = typeof HOST_COMMANDS &
  typeof TURN_COMMANDS &
  typeof TODO_COMMANDS &
  typeof GOAL_COMMANDS &
  typeof GATE_COMMANDS &
  typeof AGENT_COMMANDS &
  typeof GLOBAL_COMMANDS &
  typeof REVIEW_COMMANDS &
  typeof MCP_COMMANDS &
  typeof CONTEXT_COMMANDS &
  typeof DECISION_COMMANDS &
  typeof EXTENSION_COMMANDS &
  typeof STORE_COMMANDS &
  typeof SHELL_COMMANDS;

/** The words of a command, as one string: `todo add`. */
export type CommandName = keyof CommandTable;

/** The typed flags of a command, as its handler gets them. */
export type FlagsOf<Name extends CommandName> = FlagValues<CommandTable[Name]["flags"]>;

/** The flags of a command, as a printed command is built from them. */
export type FlagInputsOf<Name extends CommandName> = FlagInputs<CommandTable[Name]["flags"]>;

interface CommandIndex {
  readonly specs: ReadonlyMap<CommandName, CommandSpec>;
  readonly nameByWords: ReadonlyMap<string, CommandName>;
  readonly prefixes: ReadonlySet<string>;
}

let index: CommandIndex | undefined;

function commandIndex(): CommandIndex {
  index ??= buildIndex();
  return index;
}

function buildIndex(): CommandIndex {
  const specs = new Map<CommandName, CommandSpec>();
  const nameByWords = new Map<string, CommandName>();
  const prefixes = new Set<string>();
  const entries = COMMAND_GROUPS.flatMap((group) => Object.entries(group.commands));
  for (const [key, spec] of entries) {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the groups above hold what CommandTable joins
    const name = key as CommandName;
    specs.set(name, spec);
    for (const words of [name, ...(spec.aliases ?? [])]) {
      nameByWords.set(words, name);
      for (let end = words.lastIndexOf(" "); end > 0; end = words.lastIndexOf(" ", end - 1)) {
        prefixes.add(words.slice(0, end));
      }
    }
  }
  return { specs, nameByWords, prefixes };
}

/** The command that these words (or an alias) name. */
export function findCommand(words: string): { name: CommandName; spec: CommandSpec } | undefined {
  const name = commandIndex().nameByWords.get(words);
  const spec = name === undefined ? undefined : commandIndex().specs.get(name);
  return name === undefined || spec === undefined ? undefined : { name, spec };
}

/** Whether these words begin longer commands without being one: `todo`, `owner token`. */
export function isCommandPrefix(words: string): boolean {
  return commandIndex().prefixes.has(words);
}

/** Every command with its words, in the order of help. */
export function listCommands(): readonly { name: CommandName; spec: CommandSpec }[] {
  return [...commandIndex().specs].map(([name, spec]) => ({ name, spec }));
}
