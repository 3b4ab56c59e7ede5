import { isLoopxError, LoopxError, withHint } from "@loopx/contracts";
import type { CommandName } from "../command-table/command-table.ts";
import type { FlagRecord, FlagSpec } from "../command-table/flag-spec.ts";
import { GLOBAL_FLAGS, type Globals } from "../command-table/global-flags.ts";
import { checkPositionals, checkPresence } from "./check-presence.ts";
import { toFlagName } from "./flag-name.ts";
import { parseFlagValue } from "./parse-flag-value.ts";
import { readWordsAndFlags, type WordsAndFlags } from "./read-words-and-flags.ts";
import { unknownCommandError } from "./unknown-command-error.ts";

/** What a command line asks for. `globals` are there in each case, so a refusal comes out in the format asked for. */
export type ParsedCommandLine =
  | { readonly kind: "command"; readonly globals: Globals; readonly command: ParsedCommand }
  | { readonly kind: "help"; readonly globals: Globals; readonly words: string }
  | { readonly kind: "welcome" | "version"; readonly globals: Globals }
  | { readonly kind: "refused"; readonly globals: Globals; readonly error: LoopxError };

export interface ParsedCommand {
  readonly name: CommandName;
  /** By camel-case name; typed by the command's row in the table. */
  readonly flags: Readonly<Record<string, unknown>>;
  readonly positionals: readonly string[];
}

/**
 * Reads a command line (without `node` and the script) against the command table. Pure; never throws.
 *
 * Written by hand because the flags of a command are known only once its words are, global flags may stand between the
 * words, and a value may look like a flag: `node:util` parseArgs and stricli each need a second parser before them.
 */
export function parseCommandLine(argv: readonly string[]): ParsedCommandLine {
  const line = readWordsAndFlags(argv);
  const globals = readGlobals(line);
  try {
    return readLine(line, globals);
  } catch (error) {
    if (!isLoopxError(error)) throw error;
    return { kind: "refused", globals, error: withHint(error, `${["loopx", line.words].join(" ").trim()} --help`) };
  }
}

function readLine(line: WordsAndFlags, globals: Globals): ParsedCommandLine {
  const isKnown = line.unknownWords.length === 0;
  if (isAsked(line, "help") && isKnown) return { kind: "help", globals, words: line.words };
  if (isAsked(line, "version") && isKnown && line.words === "") return { kind: "version", globals };
  if (line.problem !== undefined) throw line.problem();
  checkGlobals(line);
  if (line.command !== undefined) return { kind: "command", globals, command: readCommand(line, line.command) };
  if (line.words !== "") throw unknownCommandError(line.words, []);
  return { kind: "welcome", globals };
}

/** Help and version are shown whatever else is wrong on the line, but for a value of their own. */
function isAsked(line: WordsAndFlags, key: "help" | "version"): boolean {
  return line.globals.get(key)?.every((value) => value === "") ?? false;
}

/** Never refuses: it is needed to say what is wrong. */
function readGlobals(line: WordsAndFlags): Globals {
  const { globals } = line;
  const project = globals.get("project")?.[0];
  const registry = globals.get("registry")?.[0];
  return {
    format: globals.has("json") || globals.get("format")?.[0] === "json" ? "json" : "text",
    ...(project === undefined ? {} : { project }),
    ...(registry === undefined ? {} : { registry }),
    quiet: globals.has("quiet"),
    verbose: globals.has("verbose"),
    noColor: globals.has("noColor"),
  };
}

function checkGlobals(line: WordsAndFlags): void {
  readFlags(GLOBAL_FLAGS, line.globals);
  if (line.globals.has("json") && line.globals.get("format")?.[0] === "text") {
    throw new LoopxError("usage", { message: "--json and --format=text contradict each other", hint: "loopx --help" });
  }
  if (line.globals.has("version")) {
    throw new LoopxError("usage", { message: "--version stands alone", hint: "loopx --version" });
  }
}

function readCommand(line: WordsAndFlags, command: NonNullable<WordsAndFlags["command"]>): ParsedCommand {
  const { name, spec } = command;
  const flags = readFlags(spec.flags, line.flags);
  checkPositionals(command, line.positionals);
  checkPresence(command, line.flags);
  return { name, flags, positionals: line.positionals };
}

function readFlags(specs: FlagRecord, given: ReadonlyMap<string, readonly string[]>): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const [key, spec] of Object.entries(specs)) {
    const value = readFlag(toFlagName(key), spec, given.get(key) ?? []);
    if (value !== undefined) values[key] = value;
  }
  return values;
}

function readFlag(name: string, spec: FlagSpec, texts: readonly string[]): unknown {
  const isRepeatable = spec.type !== "boolean" && spec.repeatable === true;
  if (texts.length > 1 && !isRepeatable) {
    throw new LoopxError("usage", {
      message: `${name} is given ${texts.length} times; once is all it takes`,
      details: { flag: name },
    });
  }
  if (spec.type === "boolean") return texts.length > 0;
  const values = texts.map((text) => parseFlagValue(name, spec, text));
  if (isRepeatable) return values;
  return values[0] ?? ("default" in spec ? spec.default : undefined);
}
