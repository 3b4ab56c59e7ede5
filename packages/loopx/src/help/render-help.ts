import { findCommand, isCommandPrefix } from "../command-table/command-table.ts";
import { unknownCommandError } from "../command-line/unknown-command-error.ts";
import type { TextStyle } from "../output/text-style.ts";
import { renderCommandHelp } from "./render-command-help.ts";
import { renderGroupHelp } from "./render-group-help.ts";
import { renderOverview } from "./render-overview.ts";

/** Help for a command, a group of commands or everything (`""`). Throws `unknown_command`. */
export function renderHelp(words: string, style: TextStyle): string {
  if (words === "") return renderOverview(style);
  const command = findCommand(words);
  if (command !== undefined) return renderCommandHelp(command.name, command.spec, style);
  if (isCommandPrefix(words)) return renderGroupHelp(words, style);
  throw unknownCommandError("", words.split(" "));
}
