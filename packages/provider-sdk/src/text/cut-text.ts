export interface CutText {
  readonly text: string;
  readonly isCut: boolean;
}

let segmenter: Intl.Segmenter | undefined;

/**
 * At most `maxCodePoints` code points of a text, from the code unit `from` on, with no user-perceived character cut in half.
 *
 * A single character longer than the limit (a pile of combining marks) is cut between code points. The result is
 * well-formed: a lone surrogate becomes U+FFFD.
 */
export function cutText(text: string, maxCodePoints: number, from = 0): CutText {
  // A code point has at least one unit, so a text this short needs no counting.
  if (from === 0 && text.length <= maxCodePoints) return { text: text.toWellFormed(), isCut: false };
  const start = startOfCharacter(text, from);
  const reach = skipCodePoints(text, start, maxCodePoints);
  const whole = startOfCharacter(text, reach);
  const end = whole > start ? whole : reach;
  return { text: text.slice(start, end).toWellFormed(), isCut: start > 0 || end < text.length };
}

/** Where the user-perceived character that holds a code unit begins. */
function startOfCharacter(text: string, at: number): number {
  if (at <= 0) return 0;
  if (at >= text.length) return text.length;
  // Made on first use: loading the break rules takes milliseconds.
  segmenter ??= new Intl.Segmenter("en", { granularity: "grapheme" });
  return segmenter.segment(text).containing(at)?.index ?? at;
}

function skipCodePoints(text: string, from: number, count: number): number {
  let at = from;
  for (let left = count; left > 0 && at < text.length; left -= 1) at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
  return at;
}
