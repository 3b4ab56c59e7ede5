import { createScanner, type Node } from "jsonc-parser";
import { endOf, type JsonFile } from "./json-tree.ts";

/**
 * How an entry of ours is told from what was there, so that removing it restores every byte:
 *
 * - what is put into a list or object that exists begins on a new line;
 * - what we make to hold it, in turn, has no white space at all behind its bracket.
 */

/** Puts a rendered item or member first into a list or object, on a line of its own. Only adds to the text. */
export function insertFirst(text: string, container: Node, rendered: string): string {
  const at = findPlace(text, container);
  const comma = (container.children ?? []).length > 0 ? "," : "";
  return `${text.slice(0, at)}${findLineEnd(text)}${findIndent(text, container)}${rendered}${comma}${text.slice(at)}`;
}

/** Removes an item or member with the comma that parts it from its neighbour, and the line break before it. */
export function removeNode(text: string, node: Node): string {
  const siblings = node.parent?.children ?? [];
  const at = siblings.indexOf(node);
  const previous = siblings[at - 1];
  const closing = node.parent === undefined ? text.length : endOf(node.parent) - 1;
  const comma =
    findComma(text, endOf(node), siblings[at + 1]?.offset ?? closing) ??
    (previous && findComma(text, endOf(previous), node.offset));
  const start = /\r?\n[ \t]*$/.exec(text.slice(0, node.offset))?.index ?? node.offset;
  const ranges = [{ from: start, to: endOf(node) }, ...(comma === undefined ? [] : [{ from: comma, to: comma + 1 }])];
  return ranges
    .toSorted((one, other) => other.from - one.from)
    .reduce((rest, { from, to }) => rest.slice(0, from) + rest.slice(to), text);
}

/** Puts other text in the place of nodes; everything between keeps its bytes. */
export function replaceNodes(text: string, changes: readonly { readonly node: Node; readonly text: string }[]): string {
  return changes
    .toSorted((one, other) => other.node.offset - one.node.offset)
    .reduce((rest, { node, text: next }) => rest.slice(0, node.offset) + next + rest.slice(endOf(node)), text);
}

/** The outermost list or object below the root that was made to hold this node and holds nothing else; else the node. */
export function widenToCreated(file: JsonFile, node: Node): Node {
  const container = node.parent;
  if (container === undefined || container === file.root || !holdsOnly(container, node)) return node;
  const outer = container.parent?.type === "property" ? container.parent : container;
  return widenToCreated(file, outer);
}

function holdsOnly(container: Node, node: Node): boolean {
  const isAlone = container.children?.length === 1;
  return isAlone && container.offset + 1 === node.offset && endOf(node) === endOf(container) - 1;
}

/** Behind the bracket, and behind a comment that ends its line. */
function findPlace(text: string, container: Node): number {
  const open = container.offset + 1;
  const line = /^[^\r\n]*(?=\r?\n)/.exec(text.slice(open, endOf(container)))?.[0] ?? "";
  const isComment = /^[ \t]*(?:\/\*(?:(?!\*\/).)*\*\/[ \t]*)*(?:\/\/.*)?$/.test(line);
  return isComment ? open + line.length : open;
}

function findLineEnd(text: string): string {
  return /\r?\n/.exec(text)?.[0] ?? "\n";
}

/** As the first neighbour, where it stands on a line of its own; else two deeper than the line of the bracket. */
function findIndent(text: string, container: Node): string {
  const [first] = container.children ?? [];
  const ofFirst = first && /(?:^|\n)([ \t]*)$/.exec(text.slice(0, first.offset))?.[1];
  if (ofFirst !== undefined) return ofFirst;
  const lineStart = text.lastIndexOf("\n", container.offset) + 1;
  const ofLine = /^[ \t]*/.exec(text.slice(lineStart, container.offset))?.[0] ?? "";
  return `${ofLine}  `;
}

/** The first comma between two offsets that stands outside of comments. */
function findComma(text: string, from: number, to: number): number | undefined {
  const scanner = createScanner(text.slice(from, to), true);
  scanner.scan();
  return scanner.getTokenLength() === 1 && text[from + scanner.getTokenOffset()] === ","
    ? from + scanner.getTokenOffset()
    : undefined;
}
