/**
 * Where a finding that has begun ends. Every function walks forward once and stops before a delimiter, a quote or
 * sentence punctuation; none of these begins a finding, so masking one never uncovers another.
 */

/** Inside of a character class: white space, quotes, brackets and separators, CJK punctuation too. */
export const DELIMITER = "\\s\"'`<>,;()[\\]{}|&，。；：！？、（）「」『』【】《》“”‘’…";

const TOKEN_REST = new RegExp(`[^${DELIMITER}]*`, "y");
const QUOTED_REST = /[^\s"'`<>]*/y;
/** A path may hold escaped spaces. */
const PATH_PIECE = new RegExp(String.raw`(?:\\ |[^${DELIMITER}])*`, "y");
/** `(group)`, `[id]`, `{a,b}` in the middle of a path. */
const PATH_BRACKETS = /\([^\s()"'`<>]{0,80}\)|\[[^\s[\]"'`<>]{0,80}\]|\{[^\s{}"'`<>]{0,80}\}/y;
/** `C:\Users\First Last\x`: a space that is followed by the end of one more folder name. */
const WINDOWS_SPACE = / [A-Za-z0-9_.-]{1,40}\\(?!["'])/y;
/**
 * `/home/ada/My Secret Project/file.txt`: capitalised words behind a name without an ending that go on with a slash and a
 * file, or a folder that ends the line. In lower case a sentence may go on there: `/home/ada/app and src/main.ts`.
 *
 * A literal of plain ranges: V8 reads it when it is first used, and no table of Unicode with it.
 */
const POSIX_SPACE =
  /(?<=[^\s/]\/[^\s/.:!?]{1,80})(?: [A-Z0-9À-Þ][\w.\-À-ɏ]{0,40}(?<!\.)){0,5} (?!(?:[A-Z]{1,4}|[0-9]{1,2})\/)[A-Z0-9À-Þ][\w.\-À-ɏ]{0,40}\/(?=[^\s"'/]{1,80}(?: [A-Z0-9À-Þ][\w.\-À-ɏ]{0,40}){0,5}(?:\/|\.\w|["'\n]|$))/y;
const URL_REST = new RegExp(`[^${DELIMITER}?#]*`, "y");

/** Masks that stand in a text already. */
const MASK = /<(?:local-path|credential)-redacted>/y;

/** How far a closing quote is looked for. */
const LONGEST_QUOTED_PATH = 1024;

/** End of a token: up to the next delimiter, without the punctuation of the sentence around it. */
export function endOfToken(text: string, start: number, headEnd: number): number {
  return trimPunctuation(text, start + 1, skip(TOKEN_REST, text, headEnd));
}

/** End of an assigned value: in quotes it may hold delimiters and punctuation. */
export function endOfAssigned(text: string, start: number, headEnd: number): number {
  if (!/["'`]/.test(text[start - 1] ?? "")) return endOfToken(text, start, headEnd);
  return trimBackslashes(text, start + 1, skip(QUOTED_REST, text, headEnd));
}

/** End of a path: in quotes up to the closing one on the same line, spaces included. */
export function endOfPath(text: string, start: number, headEnd: number): number {
  const quotedEnd = findClosingQuote(text, start, headEnd);
  if (quotedEnd !== undefined) return trimBackslashes(text, headEnd, quotedEnd);
  const isWindows = text[start] === "\\" || text[start + 1] === ":";
  let end = headEnd;
  let before: number;
  do {
    before = end;
    end = skip(PATH_PIECE, text, end);
    end = skip(PATH_BRACKETS, text, end);
    end = skip(isWindows ? WINDOWS_SPACE : POSIX_SPACE, text, end);
  } while (end > before);
  return trimPunctuation(text, headEnd, end);
}

/**
 * End of a URL's host and path; what follows `?` or `#` may name a local path again.
 *
 * A URL goes on behind its masked userinfo, unless the slashes before it are being masked themselves.
 */
export function endOfUrl(text: string, headEnd: number, isMasked: (offset: number) => boolean): number {
  let end = headEnd;
  let before: number;
  do {
    before = end;
    const isUserinfo = text.startsWith("://", end - 3) && !isMasked(end - 1);
    end = skip(URL_REST, text, isUserinfo ? skipMask(text, end) : end);
  } while (end > before);
  return end;
}

/** Behind the mask at an offset, or the offset itself. */
export function skipMask(text: string, offset: number): number {
  return skip(MASK, text, offset);
}

/** End of a private key block. One without an end was cut: everything behind it may be key. */
export function endOfKeyBlock(text: string, _start: number, headEnd: number): number {
  const endMarker = text.indexOf("-----END", headEnd);
  if (endMarker === -1) return text.length;
  const afterMarker = endMarker + "-----END".length;
  const dashes = text.slice(afterMarker, afterMarker + 80).indexOf("-----");
  const end = dashes === -1 ? afterMarker : afterMarker + dashes + 5;
  return trimPunctuation(text, end, skip(TOKEN_REST, text, end));
}

/** What separates two lines of a key; in a string of a program it is escaped. */
const KEY_LINE_BREAK = /(?:[ \t]{0,40}(?:\r?\n|\\{1,2}[nr]){1,4}[ \t]{0,40})$/;
const LONGEST_KEY_LINE_BREAK = 100;
/** Less is left of no key that could be used. */
const SHORTEST_KEY_BODY = 16;

/**
 * Where the body of a private key begins that ends at `end`, its footer; undefined when none is there.
 *
 * Walks backward once over lines of base64 and stops at anything else.
 */
export function startOfKeyBody(text: string, end: number): number | undefined {
  let start = end;
  let length = 0;
  for (let at = beforeLineBreak(text, end); at !== undefined; at = beforeLineBreak(text, start)) {
    const line = startOfBase64(text, at);
    const isBody = length === 0 ? line < at : at - line >= SHORTEST_KEY_BODY;
    if (!isBody) break;
    start = line;
    length += at - line;
  }
  return length < SHORTEST_KEY_BODY ? undefined : start;
}

function beforeLineBreak(text: string, end: number): number | undefined {
  const match = KEY_LINE_BREAK.exec(text.slice(Math.max(0, end - LONGEST_KEY_LINE_BREAK), end));
  return match === null ? undefined : end - match[0].length;
}

/** An escaped line break ends in a letter of base64, so the walk stops behind the backslash. */
function startOfBase64(text: string, end: number): number {
  let start = end;
  while (start > 0 && /[A-Za-z0-9+/=]/.test(text[start - 1] ?? "")) start -= 1;
  const isEscaped = text[start - 1] === "\\" && /[nr]/.test(text[start] ?? "") && start < end;
  return isEscaped ? start + 1 : start;
}

function skip(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return from + (pattern.exec(text)?.[0].length ?? 0);
}

function findClosingQuote(text: string, start: number, headEnd: number): number | undefined {
  const quote = text[start - 1];
  if (quote !== '"' && quote !== "'") return undefined;
  const line = text.slice(headEnd, headEnd + LONGEST_QUOTED_PATH).split("\n", 1)[0] ?? "";
  const length = line.indexOf(quote);
  return length === -1 ? undefined : headEnd + length;
}

function trimPunctuation(text: string, floor: number, end: number): number {
  let trimmed = end;
  while (trimmed > floor && ".:!?\\".includes(text[trimmed - 1] ?? "")) trimmed -= 1;
  return trimmed;
}

function trimBackslashes(text: string, floor: number, end: number): number {
  let trimmed = end;
  while (trimmed > floor && text[trimmed - 1] === "\\") trimmed -= 1;
  return trimmed;
}
