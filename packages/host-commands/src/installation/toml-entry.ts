import { parse, stringify, TomlError } from "smol-toml";
import type { EntryState } from "./entry-state.ts";
import { isCurrentRunner, isOurRunner, reconcileRunner, type Runner, type SettingsEntry } from "./settings-entry.ts";

/**
 * Our entry in a TOML file is a block of whole lines at its end: a table may always follow there, and nothing else of the
 * file is written again, so its comments and order stay.
 */
const END = "# loopx-managed:end";
const BLOCK = /(^|\r?\n)# loopx-managed:begin (after-line|after-text|new-file)\r?\n([\s\S]*?)# loopx-managed:end\r?\n/;

/** Looks for an entry of ours in the content of a TOML file; undefined content is a file that isn't there. */
export function readTomlEntry(content: string | undefined, entry: SettingsEntry): EntryState {
  if (content === undefined) return { kind: "absent" };
  const table = parseToml(content);
  if (table === undefined) return { kind: "unusable", reason: "invalid_toml" };
  const block = BLOCK.exec(content);
  const found = findRunner(table, entry);
  if (found === "unexpected") return { kind: "unusable", reason: "unexpected_shape" };
  if (found === undefined) return block === null ? canFollow(content, entry) : { kind: "stale" };
  if (block === null && !isOurRunner(entry, found)) return { kind: "foreign" };
  if (isCurrentRunner(entry, found)) return { kind: "current" };
  return { kind: block === null ? "foreign" : "stale" };
}

/** The content with the entry in it, once and current; what `readTomlEntry` calls foreign or unusable comes back as it was. */
export function withTomlEntry(content: string | undefined, entry: SettingsEntry): string {
  const state = readTomlEntry(content, entry);
  if (state.kind === "absent") return append(content, entry);
  if (state.kind !== "stale" || content === undefined) return content ?? "";
  return content.replace(BLOCK, (_block, before: string, joint: string, body: string) => {
    const found = findRunner(parseToml(body) ?? {}, entry);
    const runner = found === undefined || found === "unexpected" ? entry.runner : reconcileRunner(entry, found);
    return `${before}${renderBlock({ ...entry, runner }, joint)}`;
  });
}

/**
 * The content without our block: byte for byte what it was before `withTomlEntry`, where only that changed it. Undefined for
 * a file that `withTomlEntry` made and nobody else wrote to. Where tables of the user's belong to the entry, or the file would
 * be broken without it, the content comes back as it was.
 */
export function withoutTomlEntry(content: string, entry: SettingsEntry): string | undefined {
  const block = BLOCK.exec(content);
  if (block === null) return content;
  const [, before = "", joint] = block;
  const rest = content.replace(BLOCK, () => (joint === "after-text" ? "" : before));
  if (joint === "new-file" && rest === "") return undefined;
  const table = parseToml(rest);
  return table === undefined || findRunner(table, entry) !== undefined ? content : rest;
}

function append(content: string | undefined, entry: SettingsEntry): string {
  if (content === undefined) return renderBlock(entry, "new-file");
  const isLine = content === "" || content.endsWith("\n");
  return `${content}${isLine ? "" : "\n"}${renderBlock(entry, isLine ? "after-line" : "after-text")}`;
}

function renderBlock(entry: SettingsEntry, joint: string): string {
  const table = entry.path.reduceRight<Record<string, unknown>>((inner, key) => ({ [key]: inner }), {
    [entry.name ?? ""]: entry.runner,
  });
  return `# loopx-managed:begin ${joint}\n${stringify(table).trimEnd()}\n${END}\n`;
}

/** An inline table or a dotted key above may forbid the table that we would add. */
function canFollow(content: string, entry: SettingsEntry): EntryState {
  return parseToml(append(content, entry)) === undefined
    ? { kind: "unusable", reason: "unexpected_shape" }
    : { kind: "absent" };
}

function findRunner(table: Readonly<Record<string, unknown>>, entry: SettingsEntry): Runner | "unexpected" | undefined {
  let value: unknown = table;
  for (const key of [...entry.path, entry.name ?? ""]) {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return "unexpected";
    value = Object.getOwnPropertyDescriptor(value, key)?.value;
    if (value === undefined) return undefined;
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only the fields that are asked for are read, each checked
  return typeof value === "object" && value !== null ? (value as Runner) : "unexpected";
}

/** Parses TOML; undefined for anything that is broken. */
export function parseToml(content: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return parse(content.replace(/^\uFEFF/, ""));
  } catch (error) {
    if (error instanceof TomlError || error instanceof RangeError) return undefined;
    throw error;
  }
}
