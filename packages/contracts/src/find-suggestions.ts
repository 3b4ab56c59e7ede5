const MAX_SUGGESTIONS = 3;

/**
 * The candidates a mistyped word most likely meant: those closest to it, at most three. A third of its letters may be
 * wrong; being the beginning of the right word counts as one mistake.
 */
export function findSuggestions(typed: string, candidates: Iterable<string>): string[] {
  const limit = Math.max(1, Math.floor(typed.length / 3));
  const scored: { candidate: string; distance: number }[] = [];
  for (const candidate of candidates) {
    const isBeginning = typed.length >= 3 && candidate.startsWith(typed);
    const distance = isBeginning ? 1 : editDistance(typed, candidate);
    if (distance <= limit) scored.push({ candidate, distance });
  }
  const closest = Math.min(...scored.map((entry) => entry.distance));
  return scored
    .filter((entry) => entry.distance === closest)
    .map((entry) => entry.candidate)
    .toSorted()
    .slice(0, MAX_SUGGESTIONS);
}

/** Insertions, deletions, replacements and swaps of neighbours that turn one word into the other. */
export function editDistance(left: string, right: string): number {
  // Words this long were not mistyped; the product of the lengths must stay small.
  if (left.length > 64 || right.length > 64) return Number.POSITIVE_INFINITY;
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= right.length; column += 1) {
      const isSame = left[row - 1] === right[column - 1];
      const isSwap =
        row > 1 && column > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      const costs = [
        cell(previous, column) + 1,
        cell(current, column - 1) + 1,
        cell(previous, column - 1) + (isSame ? 0 : 1),
      ];
      if (isSwap) costs.push(cell(beforePrevious, column - 2) + 1);
      current.push(Math.min(...costs));
    }
    beforePrevious = previous;
    previous = current;
  }
  return cell(previous, right.length);
}

function cell(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY;
}
