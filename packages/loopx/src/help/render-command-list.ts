import { displayWidth } from "@loopx/contracts";
import type { CommandSpec } from "../command-table/command-spec.ts";
import { renderTerm } from "./wrap-text.ts";

/** Names and summaries in two columns. */
export function renderCommandList(commands: readonly { name: string; spec: CommandSpec }[], columns: number): string[] {
  const termWidth = Math.max(...commands.map(({ name }) => displayWidth(name)));
  return commands.flatMap(({ name, spec }) => renderTerm(name, spec.summary, { termWidth, columns }));
}
