import type { CommandSpec } from "../command-table/command-spec.ts";
import type { FlagRecord } from "../command-table/flag-spec.ts";
import { GLOBAL_FLAGS } from "../command-table/global-flags.ts";
import type { TextStyle } from "../output/text-style.ts";
import { describeAuthority, describeFlag, describeFlagTerm, describeUsage } from "./describe-flag.ts";
import { renderTerm, wrapText } from "./wrap-text.ts";

const TERM_WIDTH = 26;

/** The page of one command: what it does, who may call it, its flags, examples. */
export function renderCommandHelp(name: string, spec: CommandSpec, style: TextStyle): string {
  const { columns } = style;
  const aliases = (spec.aliases ?? []).map((alias) => `loopx ${alias}`);
  const about = [
    `${spec.summary}.`,
    ...(spec.details === undefined ? [] : [spec.details]),
    describeAuthority(spec),
    ...(aliases.length === 0 ? [] : [`Also: ${aliases.join(", ")}.`]),
  ];
  const lines = [
    ...wrapText(describeUsage(name, spec), columns - 2).map((line, at) => (at === 0 ? style.bold(line) : `  ${line}`)),
    "",
    ...about.flatMap((paragraph) => wrapText(paragraph, columns)),
    ...renderFlagSection("Flags", spec.flags, style),
    ...renderFlagSection("Everywhere", GLOBAL_FLAGS, style),
    "",
    style.bold("Examples"),
    ...spec.examples.map((example) => `  ${example}`),
  ];
  return `${lines.join("\n")}\n`;
}

function renderFlagSection(title: string, flags: FlagRecord, style: TextStyle): string[] {
  const entries = Object.entries(flags);
  if (entries.length === 0) return [];
  const required = entries.filter(([, spec]) => spec.required);
  const optional = entries.filter(([, spec]) => !spec.required);
  const rows = [...required, ...optional].flatMap(([key, spec]) => {
    const text = spec.required ? `${describeFlag(spec)}, required` : describeFlag(spec);
    return renderTerm(describeFlagTerm(key, spec), text, { termWidth: TERM_WIDTH, columns: style.columns });
  });
  return ["", style.bold(title), ...rows];
}
