import { ERROR_TABLE, LoopxError, toErrorPacket, type Ambient } from "@loopx/contracts";
import { parseCommandLine, type ParsedCommandLine } from "./command-line/parse-command-line.ts";
import type { CommandName } from "./command-table/command-table.ts";
import type { Globals } from "./command-table/global-flags.ts";
import type { CommandInput, CommandLoaders } from "./commands/command-handler.ts";
import type { CommandResult } from "./output/command-result.ts";
import { inWordsOfLine } from "./output/in-words-of-line.ts";
import { neutraliseText } from "./output/neutralise-text.ts";
import { renderFailure } from "./output/render-failure.ts";
import { renderJson } from "./output/render-json.ts";
import { createTextStyle, mayStyle, type TextStyle } from "./output/text-style.ts";
import { toFault } from "./output/to-fault.ts";
import type { ProcessFacts } from "./process-facts.ts";

/** Where a command line runs: the process in `main`, a test's own otherwise. */
export interface CommandWorld {
  readonly ambient: Ambient;
  readonly facts: ProcessFacts;
  readonly loaders: Partial<CommandLoaders>;
  /** Whether a todo's own validation command may be started here: it runs with the rights of this process. */
  readonly mayRunChecks: boolean;
  /** Stderr, at once: notes of a running command. */
  readonly note: (text: string) => void;
  readonly onInterrupt: (cleanup: () => void) => void;
  readonly untilInterrupted: () => Promise<void>;
}

/** What is to be written, and the exit code. */
export interface CommandOutcome {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
}

/**
 * Runs one command line and answers what to write. Never throws: each failure is rendered in the format asked for,
 * with `--format json` as the one document on stdout.
 */
export async function runCommandLine(argv: readonly string[], world: CommandWorld): Promise<CommandOutcome> {
  const parsed = parseCommandLine(argv);
  try {
    return renderResult(await execute(parsed, world), parsed.globals, world);
  } catch (error) {
    return renderError(inWordsOfLine(error, parsed), parsed.globals, world);
  }
}

/** What a program gets that calls a command: the same packet and exit code as on the command line, and no text. */
export interface CommandAnswer {
  readonly packet: object;
  readonly exitCode: number;
}

/**
 * Runs one command line for a program that takes packets. Never throws: each failure is its error packet. What went wrong
 * inside is noted with `--verbose`.
 */
export async function answerCommandLine(argv: readonly string[], world: CommandWorld): Promise<CommandAnswer> {
  const parsed = parseCommandLine(argv);
  try {
    const { packet = {}, exitCode = 0 } = await execute(parsed, world);
    return { packet, exitCode };
  } catch (thrown) {
    const { error, diagnostics } = toFault(inWordsOfLine(thrown, parsed));
    if (parsed.globals.verbose && diagnostics !== "") world.note(`${neutraliseText(diagnostics)}\n`);
    return { packet: toErrorPacket(error), exitCode: error.exitCode };
  }
}

/** The outcome of a failure, for a command line whose global flags are known. */
export function renderError(
  error: unknown,
  globals: Globals,
  world: Pick<CommandWorld, "ambient" | "facts">,
): CommandOutcome {
  const { error: fault, diagnostics } = toFault(error);
  const isJson = globals.format === "json";
  const isTerminal = isJson ? world.facts.isStdoutTerminal : world.facts.isStderrTerminal;
  const rendered = renderFailure(fault, {
    format: globals.format,
    isTerminal,
    style: styleFor(globals, world, isTerminal),
  });
  const talk = globals.verbose && diagnostics !== "" ? `${neutraliseText(diagnostics)}\n` : "";
  return { stdout: rendered.stdout, stderr: `${rendered.stderr}${talk}`, exitCode: ERROR_TABLE[fault.code].exit };
}

async function execute(parsed: ParsedCommandLine, world: CommandWorld): Promise<CommandResult> {
  switch (parsed.kind) {
    case "refused":
      throw parsed.error;
    case "help":
      return (await loadHelp(world)).showHelp(parsed.words);
    case "welcome":
      return (await loadHelp(world)).showWelcome();
    case "version":
      return runCommand({ name: "version", flags: {}, positionals: [] }, parsed.globals, world);
    case "command":
      return runCommand(parsed.command, parsed.globals, world);
    default:
      throw new TypeError(`no way to run ${JSON.stringify(parsed satisfies never)}`);
  }
}

async function loadHelp({ loaders }: CommandWorld): ReturnType<CommandLoaders["help"]> {
  if (loaders.help === undefined) throw new LoopxError("internal", { message: "this program holds no help" });
  return loaders.help();
}

type AnyHandler = (
  input: Omit<CommandInput<CommandName>, "flags"> & { readonly flags: object },
) => Promise<CommandResult> | CommandResult;

async function runCommand(
  command: { readonly name: CommandName; readonly flags: object; readonly positionals: readonly string[] },
  globals: Globals,
  world: CommandWorld,
): Promise<CommandResult> {
  const load = world.loaders[command.name];
  if (load === undefined) throw new LoopxError("internal", { message: `loopx ${command.name} is not built yet` });
  const { run } = await load();
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- parser and handler type come from one table row
  return (run as AnyHandler)({
    flags: command.flags,
    positionals: command.positionals,
    globals,
    ambient: world.ambient,
    facts: world.facts,
    loaders: world.loaders,
    note: (line) => {
      if (!globals.quiet) world.note(`${neutraliseText(line)}\n`);
    },
    mayRunChecks: world.mayRunChecks,
    onInterrupt: world.onInterrupt,
    untilInterrupted: world.untilInterrupted,
  });
}

function renderResult(result: CommandResult, globals: Globals, world: CommandWorld): CommandOutcome {
  const exitCode = result.exitCode ?? 0;
  if (result.packet === undefined) return { stdout: "", stderr: "", exitCode };
  if (globals.format === "json") {
    return { stdout: renderJson(result.packet, world.facts.isStdoutTerminal), stderr: "", exitCode };
  }
  const isTerminal = world.facts.isStdoutTerminal;
  const isRaw = result.isData === true && !isTerminal;
  const raw = result.text(isRaw ? createTextStyle(false, world.facts.columns) : styleFor(globals, world, isTerminal));
  const text = isRaw ? raw : neutraliseText(raw);
  return { stdout: text === "" || text.endsWith("\n") ? text : `${text}\n`, stderr: "", exitCode };
}

function styleFor(globals: Globals, world: Pick<CommandWorld, "ambient" | "facts">, isTerminal: boolean): TextStyle {
  const isStyled = mayStyle({ noColor: globals.noColor, env: world.ambient.env, isTerminal });
  return createTextStyle(isStyled, world.facts.columns);
}
