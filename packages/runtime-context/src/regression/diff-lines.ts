/** Lines that one text has and the other doesn't, between what they begin and end with alike. */
export interface LineDifference {
  readonly removed: readonly string[];
  readonly added: readonly string[];
}

/** More hide what matters. */
const MOST_LINES = 20;

/** What stands between the common beginning and the common end of two texts. Linear; null where they are alike. */
export function diffLines(before: readonly string[], after: readonly string[]): LineDifference | null {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  const removed = before.slice(start, before.length - end);
  const added = after.slice(start, after.length - end);
  return removed.length + added.length === 0 ? null : { removed: cut(removed), added: cut(added) };
}

function cut(lines: readonly string[]): readonly string[] {
  if (lines.length <= MOST_LINES) return lines;
  return [...lines.slice(0, MOST_LINES), `… and ${lines.length - MOST_LINES} more`];
}
