const WORDS = /[\p{L}\p{M}\p{N}]+/gu;
const MAX_TERMS = 24;
/** Some of Obelisk's indexes are made of three characters at a time, and filter out all that a shorter word doesn't match. */
const LEAST_INDEXED = 3;

/**
 * The words of a query as one that any of them answers: `"pilot" OR "review"`.
 *
 * Obelisk joins plain words by AND, so that a question in a natural language finds next to nothing. Empty when there is no
 * word in it.
 */
export function renderQueryText(query: string): string {
  const words = [...new Set(Array.from(query.matchAll(WORDS), ([word]) => word.toLowerCase()))];
  const indexed = words.filter((word) => Array.from(word).length >= LEAST_INDEXED);
  const terms = (indexed.length > 0 ? indexed : words).slice(0, MAX_TERMS);
  // A word is of letters and digits alone: no quote can end a term.
  return terms.map((word) => `"${word}"`).join(" OR ");
}
