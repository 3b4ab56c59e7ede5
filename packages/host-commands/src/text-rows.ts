import { displayWidth, neutraliseForTerminal } from "@loopx/contracts";

/** A label and its value; a row without a value is left out. */
export type TextRow = readonly [label: string, value: string | undefined];

/** Renders rows for a terminal, with their values in one column. */
export function alignRows(rows: readonly TextRow[]): string {
  const shown = rows.filter((row): row is readonly [string, string] => row[1] !== undefined && row[1] !== "");
  const width = Math.max(0, ...shown.map(([label]) => displayWidth(label)));
  const lines = shown.map(([label, value]) => `  ${label}${" ".repeat(width - displayWidth(label))}  ${value}`);
  return neutraliseForTerminal(lines.join("\n"));
}

/** A command for a terminal: exact where a terminal shows it as it is, else escaped and marked as not to be copied. */
export function showCommand(command: string): string {
  const shown = neutraliseForTerminal(command);
  return shown === command ? command : `${shown} (escaped here: take the exact command from --format=json)`;
}
