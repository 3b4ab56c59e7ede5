import { LoopxError } from "@loopx/contracts";
import type { CommandSpec } from "../command-table/command-spec.ts";
import { findCommand, isCommandPrefix, type CommandName } from "../command-table/command-table.ts";
import type { FlagRecord, FlagSpec } from "../command-table/flag-spec.ts";
import { GLOBAL_FLAGS } from "../command-table/global-flags.ts";
import { toFlagKey } from "./flag-name.ts";
import { unknownCommandError } from "./unknown-command-error.ts";
import { unknownFlagError } from "./unknown-flag-error.ts";

/** What stands on the line, before any value is checked. */
export interface WordsAndFlags {
  /** The longest known beginning of the words: a command, a group, or nothing. */
  words: string;
  /** The first word that continues no command, and what follows it. */
  readonly unknownWords: string[];
  command: { readonly name: CommandName; readonly spec: CommandSpec } | undefined;
  readonly positionals: string[];
  readonly globals: Map<string, string[]>;
  readonly flags: Map<string, string[]>;
  /** The first thing that is wrong; reading goes on so that a later `--format` still counts. */
  problem: (() => LoopxError) | undefined;
}

/**
 * Sorts a command line into words, flags and arguments. A flag that takes a value takes the next argument, also one that
 * begins with a dash, but not a flag of the same command; `--` ends the flags. Nothing is coerced or required here.
 */
export function readWordsAndFlags(argv: readonly string[]): WordsAndFlags {
  const line: WordsAndFlags = {
    words: "",
    unknownWords: [],
    command: undefined,
    positionals: [],
    globals: new Map(),
    flags: new Map(),
    problem: undefined,
  };
  let at = 0;
  for (let argument = argv[at]; argument !== undefined; argument = argv[at]) {
    if (argument === "--") {
      for (const word of argv.slice(at + 1)) readWord(line, word);
      break;
    }
    if (argument.length > 1 && argument.startsWith("-")) at += readFlag(line, argument, argv[at + 1]);
    else {
      readWord(line, argument);
      at += 1;
    }
  }
  return line;
}

function readWord(line: WordsAndFlags, word: string): void {
  if (line.command !== undefined) {
    line.positionals.push(word);
    return;
  }
  const extended = line.words === "" ? word : `${line.words} ${word}`;
  const isKnown = line.unknownWords.length === 0;
  if (isKnown) line.command = findCommand(extended);
  if (line.command !== undefined || (isKnown && isCommandPrefix(extended))) {
    line.words = line.command?.name ?? extended;
    return;
  }
  line.unknownWords.push(word);
  line.problem ??= () => unknownCommandError(line.words, line.unknownWords);
}

/** Takes in one flag and answers how many arguments it used. */
function readFlag(line: WordsAndFlags, argument: string, next: string | undefined): 1 | 2 {
  const equals = argument.indexOf("=");
  const name = argument === "-h" ? "--help" : equals === -1 ? argument : argument.slice(0, equals);
  const inlineValue = equals === -1 ? undefined : argument.slice(equals + 1);
  const key = toFlagKey(name);
  const globalSpec = findFlag(GLOBAL_FLAGS, key);
  const spec = globalSpec ?? findFlag(line.command?.spec.flags, key);
  if (spec === undefined || key === undefined) {
    line.problem ??= () => unknownFlagError(name, line.command);
    return 1;
  }
  const values = globalSpec === undefined ? line.flags : line.globals;
  if (spec.type === "boolean") {
    if (inlineValue !== undefined) line.problem ??= () => flagError(name, "takes no value");
    record(values, key, equals === -1 ? "" : argument.slice(equals));
    return 1;
  }
  const value = inlineValue ?? next;
  if (value === undefined) line.problem ??= () => flagError(name, "needs a value after it");
  else if (inlineValue === undefined && isFlagOfLine(line, value)) {
    line.problem ??= () => flagError(name, `needs a value after it; for the text "${value}" write ${name}=${value}`);
    return 1;
  } else record(values, key, value);
  return inlineValue === undefined ? 2 : 1;
}

/** Whether a word is a flag of this very command or a global one: then a value was forgotten before it. */
function isFlagOfLine(line: WordsAndFlags, word: string): boolean {
  if (!word.startsWith("--")) return false;
  const key = toFlagKey(word.split("=", 1)[0] ?? "");
  return (findFlag(GLOBAL_FLAGS, key) ?? findFlag(line.command?.spec.flags, key)) !== undefined;
}

function findFlag(flags: FlagRecord | undefined, key: string | undefined): FlagSpec | undefined {
  return flags !== undefined && key !== undefined && Object.hasOwn(flags, key) ? flags[key] : undefined;
}

function record(values: Map<string, string[]>, key: string, value: string): void {
  const earlier = values.get(key);
  if (earlier === undefined) values.set(key, [value]);
  else earlier.push(value);
}

function flagError(name: string, rule: string): LoopxError {
  return new LoopxError("usage", { message: `${name} ${rule}`, details: { flag: name } });
}
