import { COMMAND_GROUPS } from "../command-table/command-groups.ts";
import type { CommandSpec } from "../command-table/command-spec.ts";
import type { FlagRecord } from "../command-table/flag-spec.ts";
import { GLOBAL_FLAGS } from "../command-table/global-flags.ts";
import { describeAuthority, describeFlag, describeFlagTerm, describeUsage } from "./describe-flag.ts";

/** The command reference as Markdown, the same bytes on any machine. */
export function renderReference(): string {
  const groups = COMMAND_GROUPS.flatMap((group) => {
    const commands = Object.entries(group.commands).filter(([, spec]) => !spec.isHidden);
    return [`## ${group.title}`, "", ...commands.flatMap(([name, spec]) => renderSection(name, spec))];
  });
  const lines = [
    "# Command reference",
    "",
    "Generated from the command table. Write `--flag=value` or `--flag value`; `--` ends the flags.",
    "",
    "## Flags that may stand anywhere",
    "",
    ...renderFlagTable(GLOBAL_FLAGS),
    ...groups,
  ];
  return `${lines.join("\n").trimEnd()}\n`;
}

function renderSection(name: string, spec: CommandSpec): string[] {
  const aliases = (spec.aliases ?? []).map((alias) => `\`loopx ${alias}\``);
  return [
    `### loopx ${name}`,
    "",
    [
      `${spec.summary}.`,
      ...(spec.details === undefined ? [] : [spec.details]),
      describeAuthority(spec),
      ...(aliases.length === 0 ? [] : [`Also ${aliases.join(", ")}.`]),
      ...(spec.budgetBytes === undefined ? [] : [`Its packet has at most ${spec.budgetBytes} bytes.`]),
    ].join(" "),
    "",
    "```sh",
    describeUsage(name, spec),
    "```",
    "",
    ...renderFlagTable(spec.flags),
    "```sh",
    ...spec.examples,
    "```",
    "",
  ];
}

function renderFlagTable(flags: FlagRecord): string[] {
  const rows = Object.entries(flags).map(([key, spec]) => {
    const required = spec.required ? "yes" : "";
    return `| \`${escapeCell(describeFlagTerm(key, spec))}\` | ${required} | ${escapeCell(describeFlag(spec))} |`;
  });
  return rows.length === 0 ? [] : ["| flag | required | meaning |", "|---|---|---|", ...rows, ""];
}

function escapeCell(text: string): string {
  return text.replaceAll("|", String.raw`\|`);
}
