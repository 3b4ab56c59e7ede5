import { countCodePoints } from "../text/count-code-points.ts";

/** What LoopX asks of an advisory provider, field by field as on the wire. */
export interface RetrieveRequest {
  readonly schema_version: typeof REQUEST_SCHEMA;
  readonly operation: "retrieve";
  /** Who asks, at most 120 code points. */
  readonly namespace: string;
  /** What to search, for example `host-session:codex:<id>`. It names a place and grants nothing. */
  readonly scope_ref: string;
  /** Private: it belongs in no log and no summary. */
  readonly query: string;
  /** The public description of the query. */
  readonly query_summary: string;
  /** 1 to 8. */
  readonly max_results: number;
  /** 1 to 120; the process is killed when it is over. */
  readonly timeout_seconds: number;
  readonly observed_at: string;
}

export type ParsedRequest =
  | { readonly kind: "parsed"; readonly request: RetrieveRequest }
  /** `fault` names the field and the rule, and never holds a value. */
  | { readonly kind: "refused"; readonly fault: string };

export const REQUEST_SCHEMA = "decision_context_advisory_retrieve_request_v0";

/** A request at all its bounds, written with escapes only, has some 42,000 bytes. */
export const MAX_REQUEST_BYTES = 65_536;

type Rule = readonly [rule: string, isMet: (value: unknown) => boolean];

/** The bounds of the wire contract `decision_context_advisory_provider_v0`. */
const RULES: Readonly<Record<keyof RetrieveRequest, Rule>> = {
  schema_version: [`exactly ${REQUEST_SCHEMA}`, (value) => value === REQUEST_SCHEMA],
  operation: ["exactly retrieve", (value) => value === "retrieve"],
  namespace: textOf(120),
  scope_ref: textOf(2048),
  query: textOf(1000),
  query_summary: textOf(220),
  max_results: ["a whole number from 1 to 8", (value) => Number.isInteger(value) && isWithin(value, 1, 8)],
  timeout_seconds: ["a number from 1 to 120", (value) => isWithin(value, 1, 120)],
  observed_at: textOf(80),
};

/** Reads the one request of a process: strict UTF-8, strict JSON, exactly the fields of the contract. */
export function parseRetrieveRequest(bytes: Uint8Array): ParsedRequest {
  if (bytes.length > MAX_REQUEST_BYTES) return refused(`the request is over ${MAX_REQUEST_BYTES} bytes`);
  const text = decodeUtf8(bytes);
  if (text === undefined) return refused("the request is not UTF-8");
  const fields = parseObject(text);
  if (fields === undefined) return refused("the request is not one JSON object");
  const unknownCount = Object.keys(fields).filter((name) => !Object.hasOwn(RULES, name)).length;
  // The name of an unknown field is the sender's text, so it is counted and not repeated.
  if (unknownCount > 0) return refused(`the request has ${unknownCount} unknown field(s)`);
  for (const [name, [rule, isMet]] of Object.entries(RULES)) {
    if (!Object.hasOwn(fields, name)) return refused(`${name} is missing`);
    if (!isMet(fields[name])) return refused(`${name} has to be ${rule}`);
  }
  // Each value is a word or a number by now, so every key of the text is one of the object itself.
  if (countKeys(text) !== Object.keys(fields).length) return refused("the request has a field twice");
  return { kind: "parsed", request: fields as unknown as RetrieveRequest };
}

function textOf(maxCodePoints: number): Rule {
  return [
    `a text of 1 to ${maxCodePoints} code points`,
    (value) => typeof value === "string" && value.trim() !== "" && countCodePoints(value) <= maxCodePoints,
  ];
}

function isWithin(value: unknown, least: number, most: number): boolean {
  return typeof value === "number" && value >= least && value <= most;
}

function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** `JSON.parse` keeps the last of two equal keys. In valid JSON a string before a colon is a key. */
function countKeys(text: string): number {
  const strings = text.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?/g);
  return [...strings].filter(([, colon]) => colon !== undefined).length;
}

function refused(fault: string): ParsedRequest {
  return { kind: "refused", fault };
}
