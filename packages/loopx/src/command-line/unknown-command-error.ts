import { findSuggestions, LoopxError } from "@loopx/contracts";
import { listCommands } from "../command-table/command-table.ts";
import { quoteTyped } from "./quote-typed.ts";

/**
 * The error for words that name no command, with the ones they may have meant.
 * `known` is the part that begins a command (`todo`), `unknown` what follows it; no unknown word means a verb is missing.
 */
export function unknownCommandError(known: string, unknown: readonly string[]): LoopxError {
  const names = visibleNames();
  if (unknown.length === 0) {
    const verbs = names.filter((name) => name.startsWith(`${known} `)).map((name) => name.slice(known.length + 1));
    return new LoopxError("unknown_command", {
      message: `loopx ${known} needs one more word: ${verbs.join(", ")}`,
      hint: `loopx ${known} --help`,
      details: { suggestions: verbs.map((verb) => `${known} ${verb}`) },
    });
  }
  const typed = [...known.split(" "), ...unknown].filter((word) => word !== "");
  const suggestions = suggestCommands(typed, names);
  const [best] = suggestions;
  const helpWords = best ?? known;
  const didYouMean =
    best === undefined ? "" : `; did you mean ${suggestions.map((name) => `"loopx ${name}"`).join(" or ")}?`;
  return new LoopxError("unknown_command", {
    message: `no command ${quoteTyped(`loopx ${typed.slice(0, 3).join(" ")}`)}${didYouMean}`,
    hint: helpWords === "" ? "loopx --help" : `loopx ${helpWords} --help`,
    details: { suggestions },
  });
}

function visibleNames(): string[] {
  return listCommands()
    .filter(({ spec }) => !spec.isHidden)
    .flatMap(({ name, spec }) => [name, ...(spec.aliases ?? [])]);
}

function suggestCommands(typed: readonly string[], names: readonly string[]): string[] {
  for (let count = Math.min(typed.length, 3); count > 0; count -= 1) {
    const sameLength = names.filter((name) => name.split(" ").length === count);
    const close = findSuggestions(typed.slice(0, count).join(" "), sameLength);
    if (close.length > 0) return close;
  }
  const groups = new Set(names.filter((name) => name.includes(" ")).flatMap((name) => name.split(" ").slice(0, 1)));
  const closeGroups = findSuggestions(typed[0] ?? "", groups);
  if (closeGroups.length > 0) return closeGroups;
  return names.filter((name) => name.endsWith(` ${typed.join(" ")}`)).slice(0, 3);
}
