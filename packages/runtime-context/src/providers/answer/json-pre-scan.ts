import { exceedLimit, refuseAnswer, type ProviderFault } from "../provider-fault.ts";
import { isExactNumber } from "./exact-number.ts";

const MAX_DEPTH = 16;
const MAX_KEYS = 4096;
const MAX_ELEMENTS = 4096;
/** More than any document within the other limits: a key, its value, an element, or alone in arrays in one of their places. */
const MAX_STRINGS = 16_384;
/** Keys that mean something to JavaScript: a consumer that copies an object would be changed by them. */
const FORBIDDEN_KEYS: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;

/**
 * What `JSON.parse` would let through although two readers could take it differently, or undefined.
 *
 * Linear in the text. On text that is not JSON any answer will do: the parser refuses it afterwards.
 */
export function findJsonFault(text: string): ProviderFault | undefined {
  // One entry per open bracket: the keys seen in an object, undefined for an array.
  const open: (Set<string> | undefined)[] = [];
  const counts = { keys: 0, elements: 0 };
  let stringCount = 0;
  let offset = 0;
  while (offset < text.length) {
    const unit = text.charCodeAt(offset);
    let end = offset + 1;
    if (unit === QUOTE) {
      stringCount += 1;
      if (stringCount > MAX_STRINGS) return refuseAnswer("JSON");
      end = endOfString(text, offset);
      const keys = isKey(text, end) ? open.at(-1) : undefined;
      const fault = keys && findKeyFault(text.slice(offset, end), keys, counts);
      if (fault !== undefined) return fault;
    } else if (isWhiteSpace(unit)) {
      end = endOfWhiteSpace(text, end);
    } else if (isOpening(unit)) {
      if (open.length === MAX_DEPTH) return refuseAnswer("JSON_DEPTH");
      open.push(unit === 0x7b ? new Set() : undefined);
    } else if (isClosing(unit)) {
      open.pop();
    } else if (unit === COMMA) {
      if (open.at(-1) === undefined && (counts.elements += 1) >= MAX_ELEMENTS) return exceedLimit("JSON_ELEMENTS");
    } else if (isNumberStart(unit)) {
      end = endOfNumber(text, offset);
      if (!isExactNumber(text.slice(offset, end))) return refuseAnswer("JSON_NUMBER");
    }
    offset = end;
  }
  return undefined;
}

function findKeyFault(quoted: string, keys: Set<string>, counts: { keys: number }): ProviderFault | undefined {
  const key = quoted.includes("\\") ? unescape(quoted) : quoted.slice(1, -1);
  if (FORBIDDEN_KEYS.has(key)) return refuseAnswer("FORBIDDEN_KEY");
  if (keys.has(key)) return refuseAnswer("DUPLICATE_KEY");
  keys.add(key);
  counts.keys += 1;
  return counts.keys > MAX_KEYS ? exceedLimit("JSON_KEYS") : undefined;
}

/** In JSON a string followed by a colon is a key and nothing else. */
function isKey(text: string, from: number): boolean {
  return text.charCodeAt(endOfWhiteSpace(text, from)) === COLON;
}

function endOfWhiteSpace(text: string, from: number): number {
  let offset = from;
  while (isWhiteSpace(text.charCodeAt(offset))) offset += 1;
  return offset;
}

/** Behind the closing quote. Native search skips the content, which is nearly all of an answer. */
function endOfString(text: string, start: number): number {
  let quote = text.indexOf('"', start + 1);
  while (quote !== -1 && isEscaped(text, start, quote)) quote = text.indexOf('"', quote + 1);
  return quote === -1 ? text.length : quote + 1;
}

function isEscaped(text: string, start: number, quote: number): boolean {
  let first = quote;
  while (first - 1 > start && text.charCodeAt(first - 1) === BACKSLASH) first -= 1;
  return (quote - first) % 2 === 1;
}

function unescape(quoted: string): string {
  try {
    return String(JSON.parse(quoted));
  } catch {
    return quoted;
  }
}

function endOfNumber(text: string, start: number): number {
  let offset = start + 1;
  while (isNumberPart(text.charCodeAt(offset))) offset += 1;
  return offset;
}

function isNumberStart(unit: number): boolean {
  return unit === 0x2d || isDigit(unit);
}

/** Digits, sign, point, exponent. */
function isNumberPart(unit: number): boolean {
  return isDigit(unit) || unit === 0x2d || unit === 0x2b || unit === 0x2e || unit === 0x65 || unit === 0x45;
}

function isDigit(unit: number): boolean {
  return unit >= 0x30 && unit <= 0x39;
}

function isOpening(unit: number): boolean {
  return unit === 0x7b || unit === 0x5b;
}

function isClosing(unit: number): boolean {
  return unit === 0x7d || unit === 0x5d;
}

function isWhiteSpace(unit: number): boolean {
  return unit === 0x20 || unit === 0x0a || unit === 0x0d || unit === 0x09;
}
