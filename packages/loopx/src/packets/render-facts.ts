import { displayWidth, neutraliseForTerminal } from "@loopx/contracts";
import type { TextStyle } from "../output/text-style.ts";

/**
 * `label  value` lines with the values in one column; a fact without a value is left out.
 *
 * Further lines of a value stay in its column, so that no stored text looks like a line of ours.
 */
export function renderFacts(facts: readonly (readonly [string, string | null])[], style: TextStyle): string {
  const shown = facts.filter((fact): fact is readonly [string, string] => fact[1] !== null);
  const width = shown.reduce((widest, [label]) => Math.max(widest, displayWidth(label)), 0);
  const column = `\n${" ".repeat(width + 2)}`;
  const inColumn = (value: string): string =>
    neutraliseForTerminal(value)
      .split(/\r\n|[\r\n]/)
      .join(column);
  return shown.map(([label, value]) => `${style.dim(label.padEnd(width))}  ${inColumn(value)}`).join("\n");
}

/** A command to run, or several of which one is to be run. */
export type NextStep = string | readonly string[];

/** What to do next, one command a line, at the end of every text. The heading says who runs them. */
export function renderNext(steps: readonly NextStep[], style: TextStyle, heading = "next"): string {
  if (steps.length === 0) return "";
  const lines = steps.flatMap((step) =>
    typeof step === "string"
      ? [`  ${style.cyan(step)}`]
      : step.map((command, at) => `  ${style.dim(at === 0 ? "either" : "or    ")}  ${style.cyan(command)}`),
  );
  return `\n${style.dim(heading)}\n${lines.join("\n")}`;
}

/** One step where there are several ways, plain where there is one. */
export function oneOf(commands: readonly string[]): readonly NextStep[] {
  return commands.length > 1 ? [commands] : commands;
}

/** The heading over commands that no agent may run. */
export const OWNER_RUNS_THESE = "next: for an owner to run at a terminal of their own, not for the agent";

/** `1 turn`, `2 turns`. */
export function renderQuantity(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** Lines of which the empty ones fall out. */
export function joinLines(...lines: readonly string[]): string {
  return lines.filter((line) => line !== "").join("\n");
}
