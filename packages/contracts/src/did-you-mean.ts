import { editDistance } from "./find-suggestions.ts";

/** ` (did you mean "layers"?)` for a mistyped word, or nothing where no candidate is near: a third of its letters may be wrong. */
export function renderDidYouMean(typed: string, candidates: Iterable<string>): string {
  const closest = findClosest(typed, candidates);
  return closest === undefined ? "" : ` (did you mean ${JSON.stringify(closest)}?)`;
}

/** The candidate that a mistyped word most likely meant. Of equally near ones the first in alphabetical order. */
export function findClosest(typed: string, candidates: Iterable<string>): string | undefined {
  const limit = Math.max(1, Math.floor(typed.length / 3));
  let best: { readonly candidate: string; readonly distance: number } | undefined;
  for (const candidate of [...candidates].toSorted()) {
    const distance = editDistance(typed.toLowerCase(), candidate.toLowerCase());
    if (distance <= limit && distance < (best?.distance ?? Infinity)) best = { candidate, distance };
  }
  return best?.candidate;
}
