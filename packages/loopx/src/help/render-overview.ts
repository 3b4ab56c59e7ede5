import { COMMAND_GROUPS } from "../command-table/command-groups.ts";
import { GLOBAL_FLAGS } from "../command-table/global-flags.ts";
import type { TextStyle } from "../output/text-style.ts";
import { describeFlag, describeFlagTerm } from "./describe-flag.ts";
import { renderTerm, wrapText } from "./wrap-text.ts";

const TERM_WIDTH = 22;
const TAGLINE = "loopx: what may an agent do next, and who decides?";

const ENVIRONMENT = [
  ["LOOPX_HOME", "this machine's LoopX home: registry, backups, owner tokens (default ~/.codex/loopx)"],
  ["LOOPX_REGISTRY", "the same as --registry"],
  ["LOOPX_STORE_URL", "the PostgreSQL server for what is connected next, or how to reach it"],
] as const;

/** The codes of the error table that have a meaning of their own. */
const EXIT_CODES =
  "0 done, 1 refused or failed, 2 usage, 3 needs an owner, 4 not found, 5 store, 6 files and environment";

/** Every command by subject, and the flags that go everywhere. */
export function renderOverview(style: TextStyle): string {
  const layout = { termWidth: TERM_WIDTH, columns: style.columns };
  const groups = COMMAND_GROUPS.flatMap((group) => {
    const commands = Object.entries(group.commands).filter(([, spec]) => !spec.isHidden);
    return ["", style.bold(group.title), ...commands.flatMap(([name, spec]) => renderTerm(name, spec.summary, layout))];
  });
  const flags = Object.entries(GLOBAL_FLAGS).flatMap(([key, spec]) =>
    renderTerm(describeFlagTerm(key, spec), describeFlag(spec), layout),
  );
  const lines = [
    ...wrapText(TAGLINE, style.columns),
    ...groups,
    "",
    style.bold("Flags that may stand anywhere"),
    ...flags,
    "",
    style.bold("Environment"),
    ...ENVIRONMENT.flatMap(([name, text]) => renderTerm(name, text, layout)),
    "",
    style.bold("Exit codes"),
    ...wrapText(EXIT_CODES, style.columns - 2).map((line) => `  ${line}`),
    "",
    ...wrapText(
      "Write --flag=value or --flag value; -- ends the flags. loopx <command> --help shows more.",
      style.columns,
    ),
  ];
  return `${lines.join("\n")}\n`;
}

/** What a bare `loopx` shows: the three commands most likely next. */
export function renderWelcome(style: TextStyle): string {
  const layout = { termWidth: TERM_WIDTH, columns: style.columns };
  const next = WELCOME_COMMANDS.flatMap(({ command, text }) => renderTerm(command, text, layout));
  const lines = [...wrapText(TAGLINE, style.columns), "", ...next];
  return `${lines.join("\n")}\n`;
}

export const WELCOME_COMMANDS = [
  { command: "loopx status", text: "goals, open work and what waits for an owner" },
  { command: "loopx init", text: "set up the project you are in" },
  { command: "loopx --help", text: "every command" },
] as const;
