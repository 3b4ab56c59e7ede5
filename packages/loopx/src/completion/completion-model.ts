import { toFlagName } from "../command-line/flag-name.ts";
import { listCommands } from "../command-table/command-table.ts";
import type { FlagRecord, FlagSpec } from "../command-table/flag-spec.ts";
import { GLOBAL_FLAGS } from "../command-table/global-flags.ts";

/** What every shell's script is made of. All three walk the line the same way; only their syntax differs. */
export interface CompletionModel {
  /** The words that may follow each beginning (`""`, `todo`, `todo add` for arguments), with summaries. */
  readonly nextWords: ReadonlyMap<string, readonly CompletionEntry[]>;
  /** The flags of each command without the global ones; an alias stands for itself. */
  readonly flags: ReadonlyMap<string, readonly CompletionEntry[]>;
  readonly globalFlags: readonly CompletionEntry[];
  /** Flags that take no value, over all commands: a name means the same kind of flag everywhere. */
  readonly booleanFlags: readonly string[];
  /** What a flag's value may be, by `command:--flag`; global flags by `:--flag`. */
  readonly values: ReadonlyMap<string, CompletionValues>;
}

export interface CompletionEntry {
  readonly text: string;
  readonly describe: string;
}

export type CompletionValues =
  | { readonly kind: "words"; readonly words: readonly string[] }
  | { readonly kind: "files" }
  | { readonly kind: "ids"; readonly query: string };

/** What was typed earlier on the line and says where the ids are. */
export const PLACE_FLAGS = ["--goal-id", "--project", "--registry"] as const;

export function buildCompletionModel(): CompletionModel {
  const nextWords = new Map<string, CompletionEntry[]>();
  const flags = new Map<string, CompletionEntry[]>();
  const values = new Map<string, CompletionValues>();
  const booleanFlags = new Set<string>();
  const addFlags = (route: string, specs: FlagRecord): CompletionEntry[] =>
    Object.entries(specs).map(([key, spec]) => {
      const name = toFlagName(key);
      const offered = offeredValues(spec);
      if (spec.type === "boolean") booleanFlags.add(name);
      if (offered !== undefined) values.set(`${route}:${name}`, offered);
      return { text: name, describe: spec.describe };
    });
  for (const { name, spec } of listCommands().filter((command) => !command.spec.isHidden)) {
    for (const route of [name, ...(spec.aliases ?? [])]) {
      addWords(nextWords, route, spec.summary);
      flags.set(route, addFlags(route, spec.flags));
      const choices = spec.positional?.choices ?? [];
      const describe = spec.positional?.describe ?? "";
      if (choices.length > 0)
        nextWords.set(
          route,
          choices.map((text) => ({ text, describe })),
        );
    }
  }
  const routes = [...nextWords];
  for (const { name, spec } of listCommands()) {
    if (spec.positional?.names !== "command") continue;
    for (const [route, entries] of routes) nextWords.set(`${name} ${route}`.trimEnd(), entries);
  }
  return {
    nextWords,
    flags,
    values,
    globalFlags: addFlags("", GLOBAL_FLAGS),
    booleanFlags: [...booleanFlags].toSorted(),
  };
}

function addWords(nextWords: Map<string, CompletionEntry[]>, route: string, summary: string): void {
  const words = route.split(" ");
  for (const [at, text] of words.entries()) {
    const before = words.slice(0, at).join(" ");
    const entries = nextWords.get(before) ?? [];
    nextWords.set(before, entries);
    const isLast = at === words.length - 1;
    if (!entries.some((entry) => entry.text === text))
      entries.push({ text, describe: isLast ? summary : `${text} ...` });
  }
}

function offeredValues(spec: FlagSpec): CompletionValues | undefined {
  switch (spec.type) {
    case "choice":
      return { kind: "words", words: spec.choices };
    case "text":
      return spec.completes === undefined ? undefined : { kind: "words", words: spec.completes };
    case "path":
      return { kind: "files" };
    case "id":
      return {
        kind: "ids",
        query: `--kind=${spec.names}${spec.offers === undefined ? "" : ` --state=${spec.offers}`}`,
      };
    case "integer":
      return spec.orNone ? { kind: "words", words: ["none"] } : undefined;
    case "boolean":
    case "duration":
    case "instant":
    case "argv":
      return undefined;
    default:
      throw new TypeError(`no completion for ${JSON.stringify(spec satisfies never)}`);
  }
}

/** Routes with the same values together, so that scripts stay small. */
export function groupByValues<Value>(entries: Iterable<readonly [string, Value]>): { keys: string[]; value: Value }[] {
  const groups = new Map<string, { keys: string[]; value: Value }>();
  for (const [key, value] of entries) {
    const identity = JSON.stringify(value);
    const group = groups.get(identity);
    if (group === undefined) groups.set(identity, { keys: [key], value });
    else group.keys.push(key);
  }
  return [...groups.values()];
}

/** A word inside single quotes of a POSIX shell; table texts hold none that need more. */
export function singleQuote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
