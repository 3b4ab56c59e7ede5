import type { CommandSpec } from "../command-table/command-spec.ts";
import type { FlagSpec } from "../command-table/flag-spec.ts";
import { toFlagName } from "../command-line/flag-name.ts";
import { joinChoices } from "../command-line/parse-flag-value.ts";

/** `--role ROLE`, or just the name for a flag without a value. */
export function describeFlagTerm(key: string, spec: FlagSpec): string {
  return spec.type === "boolean" ? toFlagName(key) : `${toFlagName(key)} ${spec.placeholder}`;
}

/** What the flag means and takes, as one sentence without a full stop. */
export function describeFlag(spec: FlagSpec): string {
  const notes: string[] = [];
  if (spec.type === "choice") notes.push(joinChoices(spec.choices));
  if (spec.type === "integer" && spec.min > 0) notes.push(`from ${spec.min}`);
  if (spec.type !== "boolean" && spec.repeatable) notes.push("may be repeated");
  if ("default" in spec && spec.default !== undefined) notes.push(`default ${spec.default}`);
  return notes.length === 0 ? spec.describe : `${spec.describe} (${notes.join("; ")})`;
}

/** `loopx todo add --text TEXT [flags]`: what must be there, and that there is more. */
export function describeUsage(name: string, spec: CommandSpec): string {
  const flags = Object.entries(spec.flags);
  const required = flags.filter(([, flag]) => flag.required);
  const choices = (spec.chooseOne ?? []).map((choice) => {
    const chosen = flags.filter(([key]) => choice.from.includes(key));
    const terms = chosen.map(([key, flag]) => describeFlagTerm(key, flag)).join(" | ");
    return choice.required ? `(${terms})` : `[${terms}]`;
  });
  const chosen = new Set((spec.chooseOne ?? []).flatMap((choice) => choice.from));
  const hasMore = flags.some(([key, flag]) => !chosen.has(key) && !flag.required);
  const { positional } = spec;
  const argument = positional === undefined ? "" : `${positional.placeholder}${positional.repeatable ? "..." : ""}`;
  return [
    `loopx ${name}`,
    ...required.map(([key, flag]) => describeFlagTerm(key, flag)),
    ...choices,
    ...(hasMore ? ["[flags]"] : []),
    ...(argument === "" ? [] : [positional?.required ? argument : `[${argument}]`]),
  ].join(" ");
}

/** Who may call the command, as a sentence. */
export function describeAuthority(spec: CommandSpec): string {
  switch (spec.authority) {
    case "read":
      return "Changes no LoopX state.";
    case "agent":
      return spec.ownerWhen === undefined
        ? "Agents may call it."
        : `Agents may call it; it needs an owner when ${spec.ownerWhen}.`;
    case "owner":
      return "Needs an owner: a person at a terminal, or an owner token.";
    default:
      throw new TypeError(`no words for ${String(spec.authority satisfies never)}`);
  }
}
