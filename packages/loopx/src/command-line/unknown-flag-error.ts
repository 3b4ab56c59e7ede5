import { findSuggestions, LoopxError } from "@loopx/contracts";
import type { CommandSpec } from "../command-table/command-spec.ts";
import { GLOBAL_FLAGS } from "../command-table/global-flags.ts";
import { listCommands } from "../command-table/command-table.ts";
import { toFlagName } from "./flag-name.ts";
import { quoteTyped } from "./quote-typed.ts";

/** The error for an unknown flag, with the ones it may have meant. Without a command, a command's flag stands too early. */
export function unknownFlagError(
  name: string,
  command: { readonly name: string; readonly spec: CommandSpec } | undefined,
): LoopxError {
  if (command === undefined && isFlagOfSomeCommand(name)) {
    return new LoopxError("unknown_flag", {
      message: `${name} stands before the command; only global flags may`,
      hint: "loopx --help",
      details: { flag: name, suggestions: [] },
    });
  }
  const known = [...Object.keys(command?.spec.flags ?? {}), ...Object.keys(GLOBAL_FLAGS)].map(toFlagName);
  const suggestions = findSuggestions(name, known);
  const didYouMean = suggestions.length === 0 ? "" : `; did you mean ${suggestions.join(" or ")}?`;
  const owner = command === undefined ? "loopx" : `loopx ${command.name}`;
  return new LoopxError("unknown_flag", {
    message: `${owner} has no flag ${quoteTyped(name)}${didYouMean}`,
    hint: `${owner} --help`,
    details: { flag: name, suggestions },
  });
}

function isFlagOfSomeCommand(name: string): boolean {
  return listCommands().some(({ spec }) => Object.keys(spec.flags).some((key) => toFlagName(key) === name));
}
