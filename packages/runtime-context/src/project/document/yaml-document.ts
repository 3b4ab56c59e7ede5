import {
  isAlias,
  isCollection,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  type Node,
  type Pair,
} from "yaml";
import type { PathSegment } from "./finding.ts";
import { DOCUMENT_LIMITS, type DocumentFault, type ParsedDocument } from "./located-document.ts";

/**
 * YAML 1.2, core schema, one document. What JSON has no word for is refused: anchors, aliases, tags, keys that aren't text,
 * numbers that no JSON reader keeps. A warning of the parser is a fault.
 */
export function parseYamlDocument(text: string): ParsedDocument {
  const lines = new LineCounter();
  // Not `logLevel: "silent"`: with it a second document is no fault.
  const options = { schema: "core", version: "1.2", uniqueKeys: true, prettyErrors: false } as const;
  const document = parseDocument(text, { ...options, lineCounter: lines });
  const lineOf = (node: { readonly range?: readonly number[] | null | undefined }): number =>
    lines.linePos(node.range?.[0] ?? 0).line;
  const complaints = [...document.errors, ...document.warnings].map(({ code, pos }) => ({
    rule: code === "DUPLICATE_KEY" ? ("DUPLICATE_KEY" as const) : ("SYNTAX" as const),
    line: lines.linePos(pos[0]).line,
    // The rest of such a message may quote the text.
    message: code === "DUPLICATE_KEY" ? "a key is written twice in one mapping" : `is not valid YAML: ${toWords(code)}`,
  }));
  if (complaints.length > 0) return { faults: complaints.slice(0, 10) };
  const faults: DocumentFault[] = [];
  const refuse = (node: Node, message: string): undefined => {
    faults.push({ rule: "INVALID_VALUE", line: lineOf(node), message });
    return undefined;
  };
  const value = toPlainValue(document.contents, refuse, 0);
  if (faults.length > 0) return { faults: faults.slice(0, 10) };
  return { document: { value, locate: async () => (path) => lineOf(findNearest(document.contents, path) ?? {}) } };
}

type RefuseNode = (node: Node, message: string) => undefined;

function toPlainValue(node: unknown, refuse: RefuseNode, depth: number): unknown {
  if (!isNode(node)) return null;
  if (isAlias(node)) return refuse(node, "an alias is not taken here; write the value out");
  if (node.anchor !== undefined) return refuse(node, "an anchor is not taken here");
  if (node.tag !== undefined && node.tag !== "") return refuse(node, "a tag is not taken here");
  if (isScalar(node)) return toPlainScalar(node, node.value, refuse);
  if (!isCollection(node)) return refuse(node, "this value has no JSON form");
  if (depth >= DOCUMENT_LIMITS.depth) return refuse(node, `nesting deeper than ${DOCUMENT_LIMITS.depth}`);
  if (isSeq(node)) return node.items.map((item) => toPlainValue(item, refuse, depth + 1));
  if (!isMap(node)) return refuse(node, "this collection has no JSON form");
  const members = node.items.map((pair) => [
    toPlainKey(pair, node, refuse),
    toPlainValue(pair.value, refuse, depth + 1),
  ]);
  return Object.fromEntries(members) as unknown;
}

function toPlainKey({ key }: Pair, map: Node, refuse: RefuseNode): string {
  const holder = isNode(key) ? key : map;
  const isTagged = isNode(key) && (isAlias(key) || key.tag !== undefined || key.anchor !== undefined);
  if (isTagged || !isScalar(key) || typeof key.value !== "string")
    refuse(holder, "a key must be text; put it in quotes");
  else if (key.value === "__proto__") refuse(holder, "the key __proto__ is not taken");
  else if (!key.value.isWellFormed()) refuse(holder, "a key holds ill-formed Unicode");
  return isScalar(key) ? String(key.value) : "";
}

function toPlainScalar(node: Node, value: unknown, refuse: RefuseNode): unknown {
  if (value === null || typeof value === "boolean") return value;
  if (typeof value === "string") return value.isWellFormed() ? value : refuse(node, "text holds ill-formed Unicode");
  const isKept =
    typeof value === "number" && Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
  return isKept ? value : refuse(node, "this number is not kept exactly by every reader; put it in quotes");
}

function toWords(code: string): string {
  if (code === "MULTIPLE_DOCS") return "it holds more than one document";
  if (code === "TAG_RESOLVE_FAILED") return "a tag is not taken here";
  return code.replaceAll("_", " ").toLowerCase();
}

function findNearest(root: unknown, path: readonly PathSegment[]): Node | undefined {
  let nearest = isNode(root) ? root : undefined;
  let current: unknown = root;
  for (const segment of path) {
    if (isSeq(current)) {
      current = current.items[Number(segment)];
      nearest = isNode(current) ? current : nearest;
    } else if (isMap(current)) {
      const pair = current.items.find((item) => isPair(item) && isScalar(item.key) && item.key.value === segment);
      current = pair?.value;
      nearest = isNode(pair?.key) ? pair.key : nearest;
    } else {
      break;
    }
  }
  return nearest;
}
