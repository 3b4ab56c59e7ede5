import type { ManifestPointer } from "./manifest-fault.ts";

const HEADER = /^\s*(\[\[?)\s*([^\]]+?)\s*\]\]?\s*(?:#.*)?$/;
const KEY = /^\s*(?:"([^"]*)"|'([^']*)'|([A-Za-z0-9_-]+))\s*(?:=|\.)/;

/**
 * The line, from 1, on which a field of a TOML text is set; that of its table for one that is missing. Undefined where the
 * text is written in a way that this look doesn't follow, such as a table inside of braces.
 */
export function findTomlLine(text: string, pointer: ManifestPointer): number | undefined {
  const [table, key] = splitPointer(pointer);
  let current = "";
  let tableLine: number | undefined;
  const counts = new Map<string, number>();
  for (const [at, line] of text.split(/\r?\n/).entries()) {
    const header = HEADER.exec(line);
    if (header !== null) {
      current = toTableName(header, counts);
      if (current === table) tableLine = at + 1;
      if (table === "" && header[2] === key) return at + 1;
      continue;
    }
    const found = KEY.exec(line);
    if (current === table && found !== null && (found[1] ?? found[2] ?? found[3]) === key) return at + 1;
  }
  return tableLine;
}

function toTableName([, brackets, name = ""]: RegExpExecArray, counts: Map<string, number>): string {
  if (brackets === "[") return name;
  const count = counts.get(name) ?? 0;
  counts.set(name, count + 1);
  return `${name}[${count}]`;
}

/** The table as it is named by `toTableName`, and the key in it. */
function splitPointer(pointer: ManifestPointer): readonly [string, string | undefined] {
  const [first = "", second, third] = pointer;
  if (typeof second === "number") return [`${first}[${second}]`, typeof third === "string" ? third : undefined];
  if (typeof second === "string") return [String(first), second];
  return ["", String(first)];
}
