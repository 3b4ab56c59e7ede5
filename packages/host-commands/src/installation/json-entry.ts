import type { Node } from "jsonc-parser";
import type { EntryState } from "./entry-state.ts";
import { insertFirst, removeNode, replaceNodes, widenToCreated } from "./json-edits.ts";
import { findMember, parseJsonFile, valueOf, type JsonFile } from "./json-tree.ts";
import {
  isCurrentRunner,
  isOurRunner,
  reconcileRunner,
  type Runner,
  type SettingsEntry,
  type SettingsValue,
} from "./settings-entry.ts";

/** Looks for an entry of ours in the content of a settings file; undefined content is a file that isn't there. */
export function readJsonEntry(content: string | undefined, entry: SettingsEntry): EntryState {
  if (content === undefined) return { kind: "absent" };
  const found = locate(content, entry);
  switch (found.kind) {
    case "unusable":
      return found;
    case "foreign":
    case "absent":
      return { kind: found.kind };
    case "found": {
      const [runner, ...others] = found.runners;
      const isCurrent = others.length === 0 && isCurrentRunner(entry, toRunner(runner.node));
      return { kind: isCurrent ? "current" : "stale" };
    }
    default:
      throw new TypeError(`no state for ${JSON.stringify(found satisfies never)}`);
  }
}

/**
 * The content with the entry in it, once and current.
 *
 * A new entry is one line, the first in its list or object; everything else keeps its bytes. What `readJsonEntry` calls
 * foreign or unusable comes back as it was.
 */
export function withJsonEntry(content: string | undefined, entry: SettingsEntry): string {
  if (content === undefined) return renderNewFile(entry);
  const found = locate(content, entry);
  if (found.kind === "absent") return insertEntry(found, entry);
  if (found.kind !== "found") return content;
  const [first, ...others] = found.runners;
  const last = others.at(-1);
  if (last !== undefined) return withJsonEntry(remove(found.file, last), entry);
  return isCurrentRunner(entry, toRunner(first.node)) ? content : renew(found.file, first.node, entry);
}

/**
 * The content without any entry of ours: byte for byte what it was before `withJsonEntry`, where only that changed it.
 * Undefined for a file that `withJsonEntry` made and nobody else wrote to.
 */
export function withoutJsonEntry(content: string, entry: SettingsEntry): string | undefined {
  const found = locate(content, entry);
  if (found.kind !== "found") return content;
  const [first] = found.runners;
  if (content === renderNewFile({ ...entry, runner: toRunner(first.node) })) return undefined;
  return withoutJsonEntry(remove(found.file, first), entry);
}

interface FoundRunner {
  readonly node: Node;
  /** What goes with it: the whole item or member that holds nothing else. */
  readonly holder: Node;
}

type Located =
  | { readonly kind: "found"; readonly file: JsonFile; readonly runners: readonly [FoundRunner, ...FoundRunner[]] }
  | { readonly kind: "absent"; readonly file: JsonFile; readonly container: Node; readonly missing: readonly string[] }
  | { readonly kind: "foreign" }
  | Extract<EntryState, { readonly kind: "unusable" }>;

const UNEXPECTED: Located = { kind: "unusable", reason: "unexpected_shape" };

function locate(content: string, entry: SettingsEntry): Located {
  const file = parseJsonFile(content);
  if (file === undefined) return { kind: "unusable", reason: "invalid_json" };
  const path = entry.newerPath !== undefined && isThere(file.root, entry.newerPath) ? entry.newerPath : entry.path;
  let container = file.root;
  for (const [depth, key] of path.entries()) {
    const next = findMember(container, key);
    if (next === undefined) return { kind: "absent", file, container, missing: path.slice(depth) };
    const isLast = depth === path.length - 1;
    const wanted = isLast && entry.name === undefined ? "array" : "object";
    if (next === "duplicate" || next.type !== wanted) return UNEXPECTED;
    container = next;
  }
  return entry.name === undefined ? locateItem(file, container, entry) : locateMember(file, container, entry);
}

/** A server of the older form may have that name too, but then it has a command. */
function isThere(root: Node, path: readonly string[]): boolean {
  const [key, ...rest] = path;
  const isServer = findMember(root, "command") !== undefined || findMember(root, "url") !== undefined;
  if (key === undefined) return root.type === "object" && !isServer;
  const next = findMember(root, key);
  return next !== undefined && next !== "duplicate" && isThere(next, rest);
}

function locateMember(file: JsonFile, container: Node, entry: SettingsEntry): Located {
  const node = findMember(container, entry.name ?? "");
  if (node === undefined) return { kind: "absent", file, container, missing: [] };
  if (node === "duplicate" || node.parent === undefined) return UNEXPECTED;
  if (node.type !== "object" || !isOurRunner(entry, toRunner(node))) return { kind: "foreign" };
  return { kind: "found", file, runners: [{ node, holder: node.parent }] };
}

function locateItem(file: JsonFile, container: Node, entry: SettingsEntry): Located {
  const [first, ...others] = (container.children ?? [])
    .flatMap((item) => listRunners(item, entry))
    .filter(({ node }) => isOurRunner(entry, toRunner(node)));
  if (first === undefined) return { kind: "absent", file, container, missing: [] };
  return { kind: "found", file, runners: [first, ...others] };
}

/** An item that only holds one runner goes with it: a group without a hook is nothing. */
function listRunners(item: Node, { itemKey }: SettingsEntry): readonly FoundRunner[] {
  if (item.type !== "object") return [];
  if (itemKey === undefined) return [{ node: item, holder: item }];
  const list = findMember(item, itemKey);
  if (list === undefined || list === "duplicate" || list.type !== "array") return [];
  const runners = (list.children ?? []).filter(({ type }) => type === "object");
  const isSole = list.children?.length === 1;
  return runners.map((node) => ({ node, holder: isSole ? item : node }));
}

function toRunner(node: Node): Runner {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only object nodes get here, and JSON holds nothing else
  return valueOf(node) as Runner;
}

function remove(file: JsonFile, { holder }: FoundRunner): string {
  return file.bom + removeNode(file.text, widenToCreated(file, holder));
}

function renew(file: JsonFile, node: Node, entry: SettingsEntry): string {
  const wanted = reconcileRunner(entry, toRunner(node));
  const fields = entry.fields.map((field) => ({ node: findMember(node, field), value: wanted[field] }));
  const isComplete = fields.every((field) => field.node !== undefined && field.node !== "duplicate");
  const changes = isComplete ? fields : [{ node, value: wanted }];
  return (
    file.bom +
    replaceNodes(
      file.text,
      changes.flatMap((change) =>
        change.node === undefined || change.node === "duplicate"
          ? []
          : [{ node: change.node, text: JSON.stringify(change.value) }],
      ),
    )
  );
}

function insertEntry({ file, container, missing }: Extract<Located, { kind: "absent" }>, entry: SettingsEntry): string {
  return file.bom + insertFirst(file.text, container, renderEntry(container, missing, entry));
}

function renderEntry(container: Node, missing: readonly string[], entry: SettingsEntry): string {
  const [key, ...rest] = missing;
  const member = toMember(entry);
  if (key !== undefined) return `${JSON.stringify(key)}: ${JSON.stringify(nest(rest, member))}`;
  if (container.type === "array") return JSON.stringify(toItem(entry));
  return `${JSON.stringify(entry.name)}: ${JSON.stringify(entry.runner)}`;
}

function renderNewFile({ path: [key = "", ...rest], skeleton, ...entry }: SettingsEntry): string {
  const member = toMember({ path: rest, skeleton, ...entry });
  return `${JSON.stringify({ ...skeleton, [key]: nest(rest, member) })}\n`;
}

/** The innermost list or object, with the entry as its only content. */
function toMember(entry: SettingsEntry): SettingsValue {
  return entry.name === undefined ? [toItem(entry)] : { [entry.name]: entry.runner };
}

function toItem({ itemKey, runner }: SettingsEntry): Runner {
  return itemKey === undefined ? runner : { [itemKey]: [runner] };
}

function nest(path: readonly string[], value: SettingsValue): SettingsValue {
  return path.reduceRight<SettingsValue>((inner, key) => ({ [key]: inner }), value);
}
