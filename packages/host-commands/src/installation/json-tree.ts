import { getNodeValue, parseTree, type Node, type ParseError } from "jsonc-parser";

/** A parsed settings file: text and tree, with offsets into the text. */
export interface JsonFile {
  /** Without a byte order mark. */
  readonly text: string;
  readonly bom: string;
  readonly root: Node;
}

/**
 * Parses JSON as hosts keep it, comments and trailing commas included. Undefined for anything that is broken or whose root
 * is no object.
 */
export function parseJsonFile(content: string): JsonFile | undefined {
  const bom = content.startsWith("\uFEFF") ? "\uFEFF" : "";
  const text = content.slice(bom.length);
  const errors: ParseError[] = [];
  const root = parseUntilDeep(text, errors);
  return root === undefined || errors.length > 0 || root.type !== "object" ? undefined : { text, bom, root };
}

/** The parser calls itself for each level; a file that is only brackets is no settings file. */
function parseUntilDeep(text: string, errors: ParseError[]): Node | undefined {
  try {
    return parseTree(text, errors, { allowTrailingComma: true });
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** A member's value; `duplicate` where a key stands twice, because readers differ in which one counts. */
export function findMember(object: Node, key: string): Node | "duplicate" | undefined {
  const values = (object.children ?? []).flatMap(({ children: [name, value] = [] }) =>
    name?.value === key && value !== undefined ? [value] : [],
  );
  return values.length > 1 ? "duplicate" : values[0];
}

export function endOf(node: Node): number {
  return node.offset + node.length;
}

export function valueOf(node: Node): unknown {
  return getNodeValue(node);
}
