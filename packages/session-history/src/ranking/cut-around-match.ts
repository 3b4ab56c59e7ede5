import { cutText, MAX_CONTENT_CODE_POINTS } from "loopx-provider-sdk";
import type { QueryTerms } from "./query-terms.ts";
import { visitWords } from "./visit-words.ts";

/** Room before the first match, so that it is read with what led to it. */
const LEAD = 1_000;

interface Match {
  readonly at: number;
  readonly term: number;
}

/** A message as it fits an item: whole, or the stretch in which the most different words of the query stand. */
export function cutAroundMatch(text: string, terms: QueryTerms): string {
  const whole = cutText(text, MAX_CONTENT_CODE_POINTS);
  if (!whole.isCut) return whole.text;
  const from = Math.max(0, findBestStart(listMatches(text, terms)) - LEAD);
  // A last stretch may be short of the limit: what stands before fills it.
  const latest = text.length - MAX_CONTENT_CODE_POINTS;
  return cutText(text, MAX_CONTENT_CODE_POINTS, Math.min(from, latest)).text;
}

function listMatches(text: string, terms: QueryTerms): readonly Match[] {
  const matches: Match[] = [];
  visitWords(text, ({ word, at }) => {
    const term = terms.get(word);
    if (term !== undefined) matches.push({ at, term });
  });
  return matches;
}

/** The match from which a stretch holds the most different terms; the first such. */
function findBestStart(matches: readonly Match[]): number {
  const reach = MAX_CONTENT_CODE_POINTS - LEAD;
  const counts = new Map<number, number>();
  let best = { at: 0, termCount: 0 };
  let end = 0;
  for (const first of matches) {
    for (let next = matches[end]; next !== undefined && next.at < first.at + reach; next = matches[end]) {
      counts.set(next.term, (counts.get(next.term) ?? 0) + 1);
      end += 1;
    }
    if (counts.size > best.termCount) best = { at: first.at, termCount: counts.size };
    const left = (counts.get(first.term) ?? 0) - 1;
    if (left > 0) counts.set(first.term, left);
    else counts.delete(first.term);
  }
  return best.at;
}
