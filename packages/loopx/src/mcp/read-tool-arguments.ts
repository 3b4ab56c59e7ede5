import { findSuggestions, LoopxError, parseStorableText, parseThreadId } from "@loopx/contracts";
import { toFlagName } from "../command-line/flag-name.ts";
import { quoteTyped } from "../command-line/quote-typed.ts";
import { isBindingName } from "../context/binding-name.ts";
import type { FlagSpec } from "../command-table/flag-spec.ts";
import { toArgumentKey, toArgumentName } from "./argument-name.ts";
import type { OfferedCommand } from "./offered-commands.ts";

/** A tool call as the command line that it stands for. */
export interface ToolCommandLine {
  readonly argv: readonly string[];
  /** The caller's thread, for a command that otherwise learns it from its host's environment. */
  readonly threadId: string | undefined;
}

/** Names a tool takes besides its command's flags. */
export const PROJECT_ARGUMENT = "project";
export const THREAD_ARGUMENT = "thread_id";

/** Whether a tool takes the caller's thread although its command has no flag for it. */
export function takesThread({ spec, flags }: OfferedCommand): boolean {
  return spec.authority !== "read" && Object.hasOwn(flags, "agentId") && !Object.hasOwn(flags, "threadId");
}

/**
 * Turns a tool's arguments into the command line with the same meaning, which the command's own parser then judges.
 *
 * Refuses what no command line can say: `unknown_flag`, and `invalid_value` for a value of another JSON type; and what
 * is withheld here: `gate_needs_owner`, `check_not_allowed`.
 */
export function readToolArguments(command: OfferedCommand, given: Readonly<Record<string, unknown>>): ToolCommandLine {
  const argv = [...command.name.split(" "), ...command.fixed];
  let threadId: string | undefined;
  for (const [name, value] of Object.entries(given)) {
    if (name === PROJECT_ARGUMENT) argv.push(`--project=${readText(name, value)}`);
    else if (name === THREAD_ARGUMENT && takesThread(command)) threadId = parseThreadId(value, THREAD_ARGUMENT);
    else argv.push(...readArgument(command, name, value));
  }
  return { argv, threadId };
}

function readArgument(command: OfferedCommand, name: string, value: unknown): readonly string[] {
  const key = toArgumentKey(name);
  if (key === undefined || !Object.hasOwn(command.flags, key)) throw toUnknownError(command, name, key);
  const spec = command.flags[key];
  if (spec === undefined) return [];
  const flag = toFlagName(key);
  if (spec.type === "boolean") return readBoolean(name, value) ? [flag] : [];
  if (key === "binding") return [`${flag}=${readBindingName(name, value)}`];
  if (!spec.repeatable) return [`${flag}=${readValue(name, spec, value)}`];
  if (!Array.isArray(value)) throw toTypeError(name, "an array");
  return value.map((each: unknown) => `${flag}=${readValue(name, spec, each)}`);
}

function readValue(name: string, spec: Exclude<FlagSpec, { type: "boolean" }>, value: unknown): string {
  if (spec.type === "argv") {
    if (Array.isArray(value)) return JSON.stringify(value.map((word: unknown) => readText(name, word)));
    throw toTypeError(name, "an array of words");
  }
  if (spec.type !== "integer") return readText(name, value);
  if (Number.isSafeInteger(value) || (spec.orNone === true && value === "none")) return String(value);
  throw toTypeError(name, spec.orNone ? "a whole number or none" : "a whole number");
}

/** A binding in a file may name any secret of the server and any host: one of the LoopX home is an owner's. */
function readBindingName(name: string, value: unknown): string {
  const written = readText(name, value);
  if (isBindingName(written)) return written;
  throw new LoopxError("invalid_value", {
    message: `${name} takes the name of a binding in the LoopX home here, never a file`,
    hint: "ask the owner to keep it there, or run loopx context turn where your own commands run",
    details: { field: name },
  });
}

function readBoolean(name: string, value: unknown): boolean {
  if (typeof value === "boolean") return value;
  throw toTypeError(name, "true or false");
}

function readText(name: string, value: unknown): string {
  if (typeof value !== "string") throw toTypeError(name, "text");
  return parseStorableText(value, { field: name, isEmptyAllowed: true });
}

function toTypeError(name: string, takes: string): LoopxError {
  return new LoopxError("invalid_value", { message: `${name} takes ${takes}`, details: { field: name } });
}

function toUnknownError(command: OfferedCommand, name: string, key: string | undefined): LoopxError {
  const isWithheld = key !== undefined && Object.hasOwn(command.spec.flags, key);
  if (isWithheld) return toWithheldError(name);
  const known = [...Object.keys(command.flags).map(toArgumentName), PROJECT_ARGUMENT];
  const suggestions = findSuggestions(name, known);
  const didYouMean = suggestions.length === 0 ? "" : `; did you mean ${suggestions.join(" or ")}?`;
  return new LoopxError("unknown_flag", {
    message: `${command.toolName} has no argument ${quoteTyped(name)}${didYouMean}`,
    hint: `loopx ${command.name} --help`,
    details: { field: quoteTyped(name), suggestions },
  });
}

const CHECK_ARGUMENTS = ["validation_command", "validation_timeout", "validation_label"];

function toWithheldError(name: string): LoopxError {
  if (name === "owner_token_file") {
    return new LoopxError("gate_needs_owner", {
      message: "whoever calls through MCP is an agent, and an owner token makes no owner of it",
      hint: "ask the owner to run the command at a terminal of their own",
      details: { field: name },
    });
  }
  if (!CHECK_ARGUMENTS.includes(name)) {
    return new LoopxError("unknown_flag", {
      message: `${name} is not taken through MCP: a server may reach further than your own commands do`,
      hint: "run the loopx command itself, where your own commands run",
      details: { field: name },
    });
  }
  return new LoopxError("check_not_allowed", {
    message: `${name} gives a todo a check of its own, and this server was started without --run-checks`,
    hint: "leave it out, or add the todo with the loopx command where your own commands run",
    details: { field: name },
  });
}
