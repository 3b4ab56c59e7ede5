import { visitWords } from "./visit-words.ts";

/** The different words of a query, each with its place among them. */
export type QueryTerms = ReadonlyMap<string, number>;

export function listQueryTerms(query: string): QueryTerms {
  const terms = new Map<string, number>();
  visitWords(query, ({ word, isPart }) => {
    if (!isPart && !terms.has(word)) terms.set(word, terms.size);
  });
  return terms;
}
