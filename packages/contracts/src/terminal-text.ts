import { listGraphemes } from "./cut-text.ts";

/** C0 but tab and line feed, DEL, C1. */
const CONTROLS = String.raw`\x00-\x08\x0b-\x1f\x7f-\x9f`;
/** Bidirectional marks, embeddings, overrides and isolates: they reorder what a reader sees. */
const BIDI = String.raw`\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069`;
/** Zero width and invisible characters, line separators, tag characters: they hide or split text. */
const INVISIBLE = String.raw`\u00ad\u180e\u200b\u200c\u2028\u2029\u2060-\u2065\u206a-\u206f\ufeff\u{e0000}-\u{e007f}`;
/** A joiner is kept inside an emoji sequence such as a family, and nowhere else. */
const STRAY_JOINER = String.raw`(?<![\p{Extended_Pictographic}\u{1f3fb}-\u{1f3ff}\ufe0f])\u200d|\u200d(?!\p{Extended_Pictographic})`;

/**
 * Untrusted text made safe to print on a terminal: what could move the cursor, colour, reorder or hide becomes a visible
 * escape (`\x1b`, `\u202e`, `\u{e0041}`). Line feeds, tabs and everything visible stay as they are.
 */
export function neutraliseForTerminal(text: string): string {
  if (/^[\t\n\x20-\x7e]*$/.test(text)) return text;
  const unsafe = new RegExp(String.raw`[${CONTROLS}${BIDI}${INVISIBLE}\ud800-\udfff]|${STRAY_JOINER}`, "gu");
  return text.replace(unsafe, toVisibleEscape);
}

function toVisibleEscape(character: string): string {
  const codePoint = character.codePointAt(0) ?? 0;
  const hex = codePoint.toString(16);
  if (codePoint <= 0xff) return `\\x${hex.padStart(2, "0")}`;
  return codePoint <= 0xffff ? `\\u${hex.padStart(4, "0")}` : `\\u{${hex}}`;
}

/** East Asian Wide and Fullwidth blocks (Unicode UAX #11), merged where only unassigned code points lie between. */
const WIDE =
  /^[\u1100-\u115f\u2329\u232a\u2e80-\u303e\u3041-\u4dbf\u4e00-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18cff}\u{1b000}-\u{1b2ff}\u{20000}-\u{3fffd}]/u;
const EMOJI = /^(?:\p{Emoji_Presentation}|\p{Regional_Indicator}{2}|\p{Emoji}\ufe0f)/u;
const NO_WIDTH = /^[\p{M}\p{Cc}\p{Cf}]+$/u;

/** Terminal columns a one-line text takes: two for CJK and emoji, none for combining marks and control characters. */
export function displayWidth(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  let width = 0;
  for (const grapheme of listGraphemes(text)) width += graphemeWidth(grapheme);
  return width;
}

function graphemeWidth(grapheme: string): number {
  if (NO_WIDTH.test(grapheme)) return 0;
  return WIDE.test(grapheme) || EMOJI.test(grapheme) ? 2 : 1;
}
