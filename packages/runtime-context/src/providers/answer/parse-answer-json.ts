import { isUtf8 } from "node:buffer";
import { refuseAnswer, type ProviderFault } from "../provider-fault.ts";
import { findJsonFault } from "./json-pre-scan.ts";

export interface AnswerJson {
  readonly text: string;
  readonly value: unknown;
}

/**
 * The JSON value of an answer's bytes, if it means the same to every reader, and the text it came from.
 *
 * INVALID_RESPONSE for invalid UTF-8, a byte order mark, bad syntax, over 16 levels, a key written twice or one of
 * `__proto__`, `constructor`, `prototype`, a number that is not exact, NUL or a lone surrogate; LIMIT_EXCEEDED for
 * over 4,096 keys or array elements.
 */
export function parseAnswerJson(bytes: Buffer): AnswerJson | ProviderFault {
  const text = decodeAnswer(bytes);
  return typeof text === "string" ? parseAnswerText(text) : text;
}

/** The first half of `parseAnswerJson`: the text, looked through. At 1 MiB each half takes milliseconds. */
export function decodeAnswer(bytes: Buffer): string | ProviderFault {
  // Decoding would hide bad bytes as U+FFFD, so they are looked for first.
  if (!isUtf8(bytes)) return refuseAnswer("UTF8");
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return refuseAnswer("BYTE_ORDER_MARK");
  const text = bytes.toString("utf8");
  return findJsonFault(text) ?? text;
}

/** The second half, of a text from the first. */
export function parseAnswerText(text: string): AnswerJson | ProviderFault {
  const value = parseOrUndefined(text);
  if (value === undefined) return refuseAnswer("JSON");
  // Only escapes can smuggle these past valid UTF-8.
  if (text.includes("\\u") && !isStorable(value)) return refuseAnswer("UNICODE");
  return { text, value };
}

function parseOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Recursion is safe: the depth was limited before. */
function isStorable(value: unknown): boolean {
  if (typeof value === "string") return value.isWellFormed() && !value.includes("\0");
  if (typeof value !== "object" || value === null) return true;
  return Object.entries(value).every(([key, member]) => isStorable(key) && isStorable(member));
}
