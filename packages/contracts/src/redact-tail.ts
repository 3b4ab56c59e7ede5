import { cutText, type CutText } from "./cut-text.ts";
import { redact } from "./redaction.ts";

/** What a text that lost its beginning is masked by when nothing of it is known to be whole. */
const MASK = "<credential-redacted>";

const KEY_END = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----[^\n]*/g;
const KEY_LINE = /^[ \t]*[A-Za-z0-9+/=]{40,}[ \t\r]*(?:\n|$)/;

/**
 * The last `maxLength` code units of a text, masked before they are cut: half a credential is known to no rule.
 *
 * `hasLostStart`: more stood before it. What may be the rest of a credential is left out then: a broken first line, and
 * whatever stands before the end of a private key that has no beginning.
 */
export function redactTail(
  text: string,
  { hasLostStart, maxLength }: { readonly hasLostStart: boolean; readonly maxLength: number },
): string {
  const known = hasLostStart ? dropBroken(text) : text;
  const tail = redact(known).text.slice(-maxLength).toWellFormed();
  // What stood before the cut may have said that the first word is no credential: `x` before `/tmp` or `ghp_`.
  return redact(tail).text;
}

/** At most `maxGraphemes` characters of a text, masked before they are cut. */
export function cutRedacted(text: string, maxGraphemes: number): CutText {
  return cutText(redact(text).text, maxGraphemes);
}

function dropBroken(text: string): string {
  const afterKey = text.slice(findEndOfLostKey(text));
  const lineEnd = afterKey.indexOf("\n");
  if (lineEnd === -1) return afterKey.length < text.length ? "" : dropFirstWord(text);
  let rest = afterKey.slice(lineEnd + 1);
  for (let line = KEY_LINE.exec(rest); line !== null; line = KEY_LINE.exec(rest)) rest = rest.slice(line[0].length);
  return rest;
}

/** Behind the last footer of a private key that comes before any header. */
function findEndOfLostKey(text: string): number {
  const header = text.search(/-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY/);
  const lost = header === -1 ? text : text.slice(0, header);
  const footer = [...lost.matchAll(KEY_END)].at(-1);
  return footer === undefined ? 0 : footer.index + footer[0].length;
}

function dropFirstWord(line: string): string {
  const space = line.search(/\s/);
  return space === -1 ? MASK : line.slice(space + 1);
}
