import { displayWidth, neutraliseForTerminal } from "@loopx/contracts";
import type { TextStyle } from "../output/text-style.ts";

/** `label  value` lines with the values in one column; a fact without a value is left out. */
export function renderFacts(facts: readonly (readonly [string, string | null])[], style: TextStyle): string {
  const shown = facts.filter((fact): fact is readonly [string, string] => fact[1] !== null);
  const width = shown.reduce((widest, [label]) => Math.max(widest, displayWidth(label)), 0);
  return shown.map(([label, value]) => `${style.dim(label.padEnd(width))}  ${neutraliseForTerminal(value)}`).join("\n");
}

/** What to do next, one command a line, at the end of every text. */
export function renderNext(commands: readonly string[], style: TextStyle): string {
  if (commands.length === 0) return "";
  const lines = commands.map((command) => `  ${style.cyan(command)}`);
  return `\n${style.dim("next")}\n${lines.join("\n")}`;
}

/** Lines of which the empty ones fall out. */
export function joinLines(...lines: readonly string[]): string {
  return lines.filter((line) => line !== "").join("\n");
}
