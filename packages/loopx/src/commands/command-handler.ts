import type { Ambient } from "@loopx/contracts";
import type { CommandName, FlagsOf } from "../command-table/command-table.ts";
import type { Globals } from "../command-table/global-flags.ts";
import type { CommandResult } from "../output/command-result.ts";
import type { ProcessFacts } from "../process-facts.ts";

/** Everything a command gets. It writes nothing itself but notes: its result is what it returns. */
export interface CommandInput<Name extends CommandName> {
  readonly flags: FlagsOf<Name>;
  readonly positionals: readonly string[];
  readonly globals: Globals;
  readonly ambient: Ambient;
  readonly facts: ProcessFacts;
  /** The commands of this program, for one that runs others on a client's behalf. */
  readonly loaders: Partial<CommandLoaders>;
  /** Whether a todo's own validation command may be started on the caller's behalf. */
  readonly mayRunChecks: boolean;
  /** One line on stderr, for people; silent with `--quiet`. */
  readonly note: (line: string) => void;
  /** Runs when the command is interrupted before it answers: end children here, synchronously. */
  readonly onInterrupt: (cleanup: () => void) => void;
  /** Settles with the first SIGINT or SIGTERM, which then doesn't end the process: for commands that serve. */
  readonly untilInterrupted: () => Promise<void>;
}

/** A command's behaviour. Refuses by throwing `LoopxError`; the border renders it. */
export type CommandHandler<Name extends CommandName> = (
  input: CommandInput<Name>,
) => Promise<CommandResult> | CommandResult;

/** How each command's module is loaded, so that a command loads only its own. */
export type CommandLoaders = { readonly [Name in CommandName]: () => Promise<CommandModule<Name>> };

type CommandModule<Name extends CommandName> = { readonly run: CommandHandler<Name> } & (Name extends "help"
  ? HelpPages
  : unknown);

/** What is shown for a line that asks for help by a flag, or for nothing. */
interface HelpPages {
  /** For a command or group; `""` is everything. Throws `unknown_command`. */
  readonly showHelp: (words: string) => CommandResult;
  readonly showWelcome: () => CommandResult;
}
