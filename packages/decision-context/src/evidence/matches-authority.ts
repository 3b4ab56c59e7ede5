/** An excerpt shorter than this, or of fewer lines, stands in another text by chance. */
const EXCERPT_MIN_LINES = 3;
const EXCERPT_MIN_CHARACTERS = 80;
/** How many of its lines an excerpt must share with the authority. */
const SHARED_LINES = 0.98;

/** Whether an authority says what was recalled: the same text but for its line ends, or an excerpt nearly line by line. */
export function matchesAuthority(recalled: string, authority: string): boolean {
  const [claim, truth] = [toLines(recalled), toLines(authority)];
  if (claim === truth) return true;
  const lines = claim
    .split("\n")
    .map((line) => line.trimEnd())
    .filter((line) => line.trim() !== "");
  if (lines.length < EXCERPT_MIN_LINES || claim.length < EXCERPT_MIN_CHARACTERS) return false;
  const known = new Set(truth.split("\n").map((line) => line.trimEnd()));
  return lines.filter((line) => known.has(line)).length >= lines.length * SHARED_LINES;
}

function toLines(text: string): string {
  return text.replaceAll("\r\n", "\n").replace(/\n$/, "");
}
