/** Words this long were not mistyped, and the product of the lengths must stay small. */
const LONGEST_WORD = 64;

/** ` (did you mean "layers"?)` for a mistyped word, or nothing where no candidate is near: a third of its letters may be wrong. */
export function renderDidYouMean(typed: string, candidates: Iterable<string>): string {
  const closest = findClosest(typed, candidates);
  return closest === undefined ? "" : ` (did you mean ${JSON.stringify(closest)}?)`;
}

/** The candidate that a mistyped word most likely meant. Of equally near ones the first in alphabetical order. */
function findClosest(typed: string, candidates: Iterable<string>): string | undefined {
  const limit = Math.max(1, Math.floor(typed.length / 3));
  let best: { readonly candidate: string; readonly distance: number } | undefined;
  for (const candidate of [...candidates].toSorted()) {
    const distance = editDistance(typed.toLowerCase(), candidate.toLowerCase());
    if (distance <= limit && distance < (best?.distance ?? Infinity)) best = { candidate, distance };
  }
  return best?.candidate;
}

/** Insertions, deletions and replacements that turn one word into the other. */
function editDistance(left: string, right: string): number {
  if (left.length > LONGEST_WORD || right.length > LONGEST_WORD) return Infinity;
  let previous = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= right.length; column += 1) {
      const replaced = at(previous, column - 1) + (left[row - 1] === right[column - 1] ? 0 : 1);
      current.push(Math.min(at(previous, column) + 1, at(current, column - 1) + 1, replaced));
    }
    previous = current;
  }
  return at(previous, right.length);
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Infinity;
}
