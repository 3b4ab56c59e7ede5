import { COMMAND_GROUPS, type CommandTable } from "./command-groups.ts";
import type { CommandSpec } from "./command-spec.ts";
import type { FlagInputs, FlagValues } from "./flag-spec.ts";

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
