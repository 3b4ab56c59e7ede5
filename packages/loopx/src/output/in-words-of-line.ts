import { ERROR_TABLE, isLoopxError, LoopxError, withHint, type ErrorCode } from "@loopx/contracts";
import { toFlagKey } from "../command-line/flag-name.ts";
import type { ParsedCommandLine } from "../command-line/parse-command-line.ts";
import { findCommand } from "../command-table/command-table.ts";

/**
 * The error as the person or agent who typed the line reads it best: a field by the flag it was given with, and something
 * to do next where the rule that refused knew nothing of command lines. What is no error of ours stays as it is.
 */
export function inWordsOfLine(error: unknown, parsed: ParsedCommandLine): unknown {
  if (!isLoopxError(error) || parsed.kind !== "command") return error;
  const { name } = parsed.command;
  const isUsage = ERROR_TABLE[error.code].category === "usage";
  return withHint(nameFlag(error, name), isUsage ? `loopx ${name} --help` : LAST_STEPS[error.code]);
}

/** `next_todo is a placeholder` where the line said `--next-todo`. Other words of a message are no field's name. */
function nameFlag(error: LoopxError, name: string): LoopxError {
  const { code, message, hint, details, cause } = error;
  const field = details?.["field"];
  if (typeof field !== "string" || !message.startsWith(`${field} `)) return error;
  const flag = `--${field.replaceAll("_", "-")}`;
  const key = toFlagKey(flag);
  const flags = findCommand(name)?.spec.flags ?? {};
  if (key === undefined || !Object.hasOwn(flags, key)) return error;
  return new LoopxError(code, {
    message: `${flag}${message.slice(field.length)}`,
    ...(hint === undefined ? {} : { hint: hint.replace(` ${field} `, ` ${flag} `) }),
    ...(details === undefined ? {} : { details }),
    cause,
  });
}

/** For a failure of which its own place can say nothing more, and which no goal is needed to act on. */
export const LAST_STEPS: Readonly<Partial<Record<ErrorCode, string>>> = {
  build_corrupt: "make it again: loopx context build --output=DIR",
  file_not_readable: "look whether it is there and you may read it, then run the command again",
  project_not_trusted: "an owner looks at it and connects it, standing in it: loopx bootstrap",
  store_failed: "loopx doctor",
  unknown_agent: "loopx goal show",
  internal: "run the command again with --verbose and report what it prints",
};
