import { isLoopxError, parseStrictJson } from "@loopx/contracts";
import type { PathSegment } from "./finding.ts";
import { DOCUMENT_LIMITS, type DocumentFault, type ParsedDocument } from "./located-document.ts";

/** JSON as RFC 8259 has it, every key once. */
export async function parseJsonDocument(text: string): Promise<ParsedDocument> {
  try {
    const value = parseStrictJson(text, { maxDepth: DOCUMENT_LIMITS.depth, field: "the document" });
    return { document: { value, locate: () => loadLocator(text) } };
  } catch (error) {
    if (!isLoopxError(error)) throw error;
    const offset = error.details?.["offset"];
    if (typeof offset === "number") return { faults: [toFault(text, offset, error.message)] };
    return { faults: [await findSyntaxFault(text)] };
  }
}

function toFault(text: string, offset: number, message: string): DocumentFault {
  const line = lineOfOffset(text, offset);
  const isDuplicate = message.includes("written twice");
  if (!isDuplicate) return { rule: "SYNTAX", line, message: message.replace(/ at offset \d+$/, "") };
  const [key] = /^"(?:[^"\\]|\\.){0,64}"/.exec(text.slice(offset, offset + 256)) ?? ["a key"];
  return { rule: "DUPLICATE_KEY", line, message: `${key} is written twice in one object` };
}

async function findSyntaxFault(text: string): Promise<DocumentFault> {
  const positions = await import("./json-positions.ts");
  const fault = positions.findSyntaxFault(text);
  return { rule: "SYNTAX", line: lineOfOffset(text, fault.offset), message: `is not valid JSON: ${fault.what}` };
}

/** Positions need a parser that keeps them; only a fault pays for it. */
async function loadLocator(text: string): Promise<(path: readonly PathSegment[]) => number> {
  const { createLocator } = await import("./json-positions.ts");
  return createLocator(text);
}

/** 1-based. */
export function lineOfOffset(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf("\n"); at !== -1 && at < offset; at = text.indexOf("\n", at + 1)) line += 1;
  return line;
}
