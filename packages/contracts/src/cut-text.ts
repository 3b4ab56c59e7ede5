import { LONE_SURROGATE } from "./storable-text.ts";

export interface CutText {
  readonly text: string;
  readonly isTruncated: boolean;
}

/**
 * The longest grapheme in common use is a subdivision flag of 14 code units. A cut allows 16 per grapheme, so that a pile
 * of combining marks, which counts as one grapheme, can't carry any amount of text past a limit.
 */
const UNITS_PER_GRAPHEME = 16;

const PLAIN_ASCII = /^[\t\n\x20-\x7e]*$/;

let segmenter: Intl.Segmenter | undefined;

/** The user-perceived characters of a text, in order. */
export function* listGraphemes(text: string): Generator<string> {
  // Created on first use: the break rules take milliseconds to load, and most texts are plain ASCII.
  segmenter ??= new Intl.Segmenter("en", { granularity: "grapheme" });
  for (const { segment } of segmenter.segment(text)) yield segment;
}

/**
 * At most `maxGraphemes` user-perceived characters of a text, never half a character. No ellipsis is added.
 *
 * The result is always well-formed: a lone surrogate becomes U+FFFD.
 */
export function cutText(text: string, maxGraphemes: number): CutText {
  // A grapheme has at least one code unit, so a text this short needs no counting.
  if (text.length <= maxGraphemes) return { text: toWellFormed(text), isTruncated: false };
  if (PLAIN_ASCII.test(text.slice(0, maxGraphemes + 1)))
    return { text: text.slice(0, maxGraphemes), isTruncated: true };

  const cut = cutGraphemes(toWellFormed(text), maxGraphemes);
  return { text: cut, isTruncated: cut.length < text.length };
}

function cutGraphemes(text: string, maxGraphemes: number): string {
  const maxUnits = maxGraphemes * UNITS_PER_GRAPHEME;
  const reachable = sliceWholeCodePoints(text, maxUnits);
  let taken = "";
  let count = 0;
  for (const grapheme of listGraphemes(reachable)) {
    const end = taken.length + grapheme.length;
    // The last segment of a shortened text may be the head of a longer grapheme.
    const mayBeHalf = end === reachable.length && reachable.length < text.length;
    if (count === maxGraphemes || (mayBeHalf && taken !== "")) return taken;
    taken += grapheme;
    count += 1;
  }
  return taken;
}

function sliceWholeCodePoints(text: string, maxUnits: number): string {
  const last = text.charCodeAt(maxUnits - 1);
  const isHighSurrogate = last >= 0xd800 && last <= 0xdbff;
  return text.slice(0, isHighSurrogate ? maxUnits - 1 : maxUnits);
}

function toWellFormed(text: string): string {
  return LONE_SURROGATE.test(text) ? text.replace(/[\uD800-\uDFFF]/gu, "\uFFFD") : text;
}
