import { listCommands } from "../command-table/command-table.ts";
import type { TextStyle } from "../output/text-style.ts";
import { renderCommandList } from "./render-command-list.ts";

/** The commands that begin with these words. */
export function renderGroupHelp(words: string, style: TextStyle): string {
  const commands = listCommands().filter(({ name, spec }) => name.startsWith(`${words} `) && !spec.isHidden);
  const lines = [
    style.bold(`loopx ${words} <command>`),
    "",
    ...renderCommandList(commands, style.columns),
    "",
    `loopx ${commands[0]?.name ?? words} --help shows flags and examples.`,
  ];
  return `${lines.join("\n")}\n`;
}
