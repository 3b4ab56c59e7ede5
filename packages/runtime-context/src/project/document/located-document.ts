import { isUtf8 } from "node:buffer";
import { toFinding, type Finding, type PathSegment } from "./finding.ts";

export type DocumentFormat = "json" | "jsonc" | "yaml";

/** A parsed document that can say on which line a thing stands. */
export interface LocatedDocument {
  readonly value: unknown;
  /** Loaded only to explain a fault: gives the 1-based line of what a path names, or of the nearest thing around it. */
  locate(): Promise<(path: readonly PathSegment[]) => number | null>;
}

export interface DocumentSource {
  /** As the user names it; appears in findings. */
  readonly path: string;
  readonly format: DocumentFormat;
}

/** What a parser of one format gives: the document, or why there is none. */
export type ParsedDocument = { readonly document: LocatedDocument } | { readonly faults: readonly DocumentFault[] };

export interface DocumentFault {
  readonly rule: "SYNTAX" | "DUPLICATE_KEY" | "INVALID_VALUE" | "TOO_LARGE" | "NOT_TEXT";
  readonly line: number | null;
  readonly message: string;
}

/** A thousand tests, indented, with a few facts each, are some 1.5 MB. */
export const DOCUMENT_LIMITS = { bytes: 4_194_304, depth: 32 } as const;

const BYTE_ORDER_MARK = "\uFEFF";

/**
 * The one value that a JSON, JSONC or YAML text stands for, or findings that say why it stands for none.
 *
 * At most 4 MiB of UTF-8, 32 levels, one document; a leading byte order mark is accepted. A key written twice, aliases,
 * tags and whatever two readers could understand differently are refused.
 */
export async function parseDocument(
  source: string | Uint8Array,
  { path, format }: DocumentSource,
): Promise<{ readonly document: LocatedDocument } | { readonly findings: readonly Finding[] }> {
  const text = decode(source);
  const parsed = typeof text === "string" ? await parseAs(format, text) : { faults: [text] };
  if ("document" in parsed) return parsed;
  return { findings: parsed.faults.map((fault) => toFinding({ ...fault, file: path })) };
}

/** The format a file's name promises. */
export function findDocumentFormat(path: string): DocumentFormat | undefined {
  if (path.endsWith(".json")) return "json";
  if (path.endsWith(".jsonc")) return "jsonc";
  return /\.ya?ml$/.test(path) ? "yaml" : undefined;
}

function decode(source: string | Uint8Array): string | DocumentFault {
  const bytes = typeof source === "string" ? Buffer.byteLength(source) : source.byteLength;
  if (bytes > DOCUMENT_LIMITS.bytes) {
    return { rule: "TOO_LARGE", line: null, message: `is ${bytes} bytes, the limit is ${DOCUMENT_LIMITS.bytes}` };
  }
  if (typeof source !== "string" && !isUtf8(source)) {
    return { rule: "NOT_TEXT", line: null, message: "is not UTF-8 text" };
  }
  const text = typeof source === "string" ? source : Buffer.from(source).toString("utf8");
  return text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
}

/** The parsers of JSONC and YAML are loaded only for files of their format. */
async function parseAs(format: DocumentFormat, text: string): Promise<ParsedDocument> {
  switch (format) {
    case "json": {
      const { parseJsonDocument } = await import("./json-document.ts");
      return parseJsonDocument(text);
    }
    case "jsonc": {
      const { parseJsoncDocument } = await import("./jsonc-document.ts");
      return parseJsoncDocument(text);
    }
    case "yaml": {
      const { parseYamlDocument } = await import("./yaml-document.ts");
      return parseYamlDocument(text);
    }
    default:
      return format satisfies never;
  }
}
