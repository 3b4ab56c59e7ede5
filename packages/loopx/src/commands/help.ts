import { COMMAND_GROUPS } from "../command-table/command-groups.ts";
import { renderHelp } from "../help/render-help.ts";
import { renderWelcome, WELCOME_COMMANDS } from "../help/render-overview.ts";
import type { CommandResult } from "../output/command-result.ts";
import { createTextStyle } from "../output/text-style.ts";
import type { CommandHandler } from "./command-handler.ts";

/** Help for the words given, or for everything. Refuses with `unknown_command`. */
export const run: CommandHandler<"help"> = ({ positionals }) => showHelp(positionals.join(" "));

/** Help for a command or group; `""` is everything. Throws `unknown_command`. */
export function showHelp(words: string): CommandResult {
  const text = renderHelp(words, createTextStyle(false, 80));
  return {
    packet: { ok: true, schema_version: "loopx_help_v0", words, text },
    text: (style) => renderHelp(words, style),
  };
}

/** What a bare `loopx` shows. */
export function showWelcome(): CommandResult {
  const groups = COMMAND_GROUPS.map((group) => group.title);
  return {
    packet: {
      ok: true,
      schema_version: "loopx_welcome_v0",
      next: WELCOME_COMMANDS.map(({ command }) => command),
      groups,
    },
    text: renderWelcome,
  };
}
