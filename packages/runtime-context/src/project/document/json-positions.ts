import { findNodeAtLocation, parseTree, printParseErrorCode, type Node, type ParseError } from "jsonc-parser";
import type { PathSegment } from "./finding.ts";

/** Gives the line of what a path names in a valid JSON text, or of the nearest thing around it. */
export function createLocator(text: string): (path: readonly PathSegment[]) => number {
  const root = parseTree(text);
  const lineStarts = listLineStarts(text);
  return (path) => {
    const node = findNearest(root, path);
    return lineOf(node?.parent?.type === "property" ? node.parent.offset : (node?.offset ?? 0), lineStarts);
  };
}

/** The first thing a parser stumbles over, in its words (`CloseBraceExpected`). */
export function findSyntaxFault(text: string): { readonly offset: number; readonly what: string } {
  const errors: ParseError[] = [];
  parseTree(text, errors, { disallowComments: true, allowTrailingComma: false });
  const [first] = errors;
  if (first === undefined) return { offset: 0, what: "a value is expected" };
  const words = printParseErrorCode(first.error)
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, " ")
    .toLowerCase();
  return { offset: first.offset, what: words };
}

function findNearest(root: Node | undefined, path: readonly PathSegment[]): Node | undefined {
  if (root === undefined) return undefined;
  for (let length = path.length; length > 0; length -= 1) {
    const node = findNodeAtLocation(root, path.slice(0, length));
    if (node !== undefined) return node;
  }
  return root;
}

function listLineStarts(text: string): readonly number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

function lineOf(offset: number, lineStarts: readonly number[]): number {
  let low = 0;
  let high = lineStarts.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((lineStarts[middle] ?? 0) <= offset) low = middle;
    else high = middle;
  }
  return low + 1;
}
