import { LoopxError } from "./loopx-error.ts";
import { LONE_SURROGATE } from "./storable-text.ts";

export interface StrictJsonOptions {
  /** Arrays and objects inside one another; 64 when left out. */
  readonly maxDepth?: number;
  /** What the text is, for the error: "the manifest". */
  readonly field?: string;
}

const BYTE_ORDER_MARK = "\uFEFF";

/**
 * The value of a JSON text that means the same to every reader. One leading byte order mark is accepted.
 *
 * Refuses with `invalid_value`, naming the kind of fault and its offset but never the content: bad syntax, a key written
 * twice in one object (escaped spellings count as the same), the key `__proto__`, numbers that are not finite, nesting over
 * `maxDepth`. Lone surrogates are `text_not_storable`. Keys such as `constructor` are kept as plain own properties.
 */
export function parseStrictJson(text: string, options: StrictJsonOptions = {}): unknown {
  const field = options.field ?? "the JSON text";
  const body = text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
  const fault = findFault(body, options.maxDepth ?? 64);
  if (fault !== undefined) {
    const code = fault.what === "ill-formed Unicode" ? "text_not_storable" : "invalid_value";
    throw new LoopxError(code, {
      message: `${field} holds ${fault.what} at offset ${fault.offset}`,
      details: { offset: fault.offset },
    });
  }
  try {
    return JSON.parse(body) as unknown;
  } catch {
    // The engine's message quotes the text around the fault, so nothing of it is passed on.
    throw new LoopxError("invalid_value", { message: `${field} is not valid JSON` });
  }
}

interface Fault {
  readonly what: string;
  readonly offset: number;
}

/** What `JSON.parse` would let through. On text that is not JSON any answer will do: the parser refuses it. */
function findFault(text: string, maxDepth: number): Fault | undefined {
  // One entry per open bracket: the keys seen in an object, undefined for an array.
  const open: (Set<string> | undefined)[] = [];
  // An escape can write half a pair too. Without either, the texts that are no keys need no look.
  const isPlain = text.isWellFormed() && !text.includes("\\u");
  let offset = 0;
  while (offset < text.length) {
    const character = text[offset];
    let end = offset + 1;
    if (character === "{" || character === "[") {
      if (open.length >= maxDepth) return { what: `nesting deeper than ${maxDepth}`, offset };
      open.push(character === "{" ? new Set() : undefined);
    } else if (character === "}" || character === "]") {
      open.pop();
    } else if (character === '"') {
      end = endOfString(text, offset);
      const keys = isFollowedByColon(text, end) ? open.at(-1) : undefined;
      const what = isPlain && keys === undefined ? undefined : findStringFault(text.slice(offset, end), keys);
      if (what !== undefined) return { what, offset };
    } else if (character === "-" || isDigit(character)) {
      end = endOfNumber(text, offset);
      if (!Number.isFinite(Number(text.slice(offset, end)))) return { what: "a number that is not finite", offset };
    }
    offset = end;
  }
  return undefined;
}

function findStringFault(quoted: string, keys: Set<string> | undefined): string | undefined {
  const content = unescape(quoted);
  if (LONE_SURROGATE.test(content)) return "ill-formed Unicode";
  if (keys === undefined) return undefined;
  if (content === "__proto__") return "the key __proto__";
  if (keys.has(content)) return "a key written twice in one object";
  keys.add(content);
  return undefined;
}

/** In JSON a string followed by a colon is a key and nothing else. */
function isFollowedByColon(text: string, from: number): boolean {
  let offset = from;
  while (offset < text.length && " \t\r\n".includes(text[offset] ?? "")) offset += 1;
  return text[offset] === ":";
}

function unescape(quoted: string): string {
  if (!quoted.includes("\\")) return quoted.slice(1, -1);
  try {
    return String(JSON.parse(quoted));
  } catch {
    return "";
  }
}

/** Behind the closing quote. Native search skips the content, which is nearly all of most texts. */
function endOfString(text: string, start: number): number {
  let quote = text.indexOf('"', start + 1);
  while (quote !== -1 && isEscaped(text, start, quote)) quote = text.indexOf('"', quote + 1);
  return quote === -1 ? text.length : quote + 1;
}

function isEscaped(text: string, start: number, quote: number): boolean {
  let first = quote;
  while (first - 1 > start && text[first - 1] === "\\") first -= 1;
  return (quote - first) % 2 === 1;
}

function endOfNumber(text: string, start: number): number {
  let offset = start + 1;
  while (offset < text.length && /[0-9.eE+-]/.test(text[offset] ?? "")) offset += 1;
  return offset;
}

function isDigit(character: string | undefined): boolean {
  return character !== undefined && character >= "0" && character <= "9";
}
