import type { FlagRecord } from "./flag-spec.ts";

/**
 * One command as plain data; its key in the table is its words. Routes, parsing, help, completion, the reference page
 * and every printed command are generated from it.
 */
export interface CommandSpec {
  /** One line for help, imperative, without a full stop. */
  readonly summary: string;
  /** A paragraph under the summary: only what flags and summary can't say. */
  readonly details?: string;
  /** `read` changes nothing, `agent` may be called by an agent, `owner` needs a person or an owner token. */
  readonly authority: "read" | "agent" | "owner";
  /** For an `agent` command: when it needs an owner after all, as the end of "needs an owner when …". */
  readonly ownerWhen?: string;
  readonly flags: FlagRecord;
  /** Flags of which at most one (or, when required, exactly one) may be given. */
  readonly chooseOne?: readonly ChooseOne[];
  readonly positional?: PositionalSpec;
  /** Other words for the same command. */
  readonly aliases?: readonly string[];
  /** Whole command lines; each is parsed in a test. */
  readonly examples: readonly string[];
  /** Upper bound of the minified JSON packet. */
  readonly budgetBytes?: number;
  /** Not shown in help or completion. */
  readonly isHidden?: true;
}

export interface ChooseOne {
  readonly from: readonly string[];
  readonly required?: true;
}

export interface PositionalSpec {
  readonly placeholder: string;
  readonly describe: string;
  readonly choices?: readonly string[];
  /** The words of a command: completion offers them as it does at the beginning of a line. */
  readonly names?: "command";
  readonly required?: true;
  readonly repeatable?: true;
}

export type CommandRecord = Readonly<Record<string, CommandSpec>>;
