import type { MeasuredMessage } from "./measure-message.ts";

export interface RankedMessage {
  readonly message: MeasuredMessage;
  /** Positive; higher is better. */
  readonly score: number;
}

/** The usual constants of BM25: how fast a repeated word stops counting, and how much length matters. */
const SATURATION = 1.2;
const LENGTH_WEIGHT = 0.75;

/**
 * The best messages by Okapi BM25 over the session, the newest first among equals. Of repetitions only the newest is taken.
 *
 * Same messages, same query: same answer.
 */
export function rankMessages(messages: readonly MeasuredMessage[], limit: number): readonly RankedMessage[] {
  const scoreOf = scorer(messages);
  const ranked = [...keepNewest(messages)]
    .map((message, place) => ({ message, place, score: scoreOf(message) }))
    .toSorted((left, right) => right.score - left.score || right.place - left.place);
  return ranked.slice(0, limit).map(({ message, score }) => ({ message, score: Number(score.toFixed(4)) }));
}

function keepNewest(messages: readonly MeasuredMessage[]): Iterable<MeasuredMessage> {
  const byDigest = new Map<string, MeasuredMessage>();
  for (const message of messages) {
    if (message.termCounts === undefined) continue;
    // A map keeps the place of the first: the newest has to come in anew.
    byDigest.delete(message.digest);
    byDigest.set(message.digest, message);
  }
  return byDigest.values();
}

function scorer(messages: readonly MeasuredMessage[]): (message: MeasuredMessage) => number {
  const matching: number[] = [];
  let wordCount = 0;
  for (const message of messages) {
    wordCount += message.wordCount;
    message.termCounts?.forEach((count, term) => {
      matching[term] = (matching[term] ?? 0) + (count > 0 ? 1 : 0);
    });
  }
  const meanWordCount = wordCount / messages.length;
  // The form whose logarithm stays positive for words that stand everywhere.
  const rarity = matching.map((count) => Math.log(1 + (messages.length - count + 0.5) / (count + 0.5)));
  return (message) => {
    const length = 1 - LENGTH_WEIGHT + (LENGTH_WEIGHT * message.wordCount) / meanWordCount;
    const parts = (message.termCounts ?? []).map(
      (count, term) => ((rarity[term] ?? 0) * count * (SATURATION + 1)) / (count + SATURATION * length),
    );
    return parts.reduce((sum, part) => sum + part, 0);
  };
}
