import type { VisibleMessage } from "../hosts/visible-message.ts";
import { hashText } from "./hash-text.ts";
import type { QueryTerms } from "./query-terms.ts";
import { visitWords } from "./visit-words.ts";

/** What is kept of a message while its session is read: all but the text, which is read again if it is among the best. */
export interface MeasuredMessage {
  readonly role: VisibleMessage["role"];
  readonly sentAt: string | null;
  /** Where its line begins in the file. */
  readonly offset: number;
  /** Of role and text: two messages with the same are repetitions. */
  readonly digest: string;
  readonly wordCount: number;
  /** How often each term of the query stands in it; undefined when none does. */
  readonly termCounts: readonly number[] | undefined;
}

export type MeasureMessage = (message: VisibleMessage, offset: number) => MeasuredMessage;

/** Measures messages against one query. */
export function measureFor(terms: QueryTerms): MeasureMessage {
  return (message, offset) => {
    const { wordCount, termCounts } = countWords(message.text, terms);
    return {
      role: message.role,
      sentAt: message.sentAt,
      offset,
      digest: digestMessage(message),
      wordCount,
      termCounts,
    };
  };
}

export function digestMessage({ role, text }: VisibleMessage): string {
  return `${role}.${hashText(text)}`;
}

function countWords(text: string, terms: QueryTerms): Pick<MeasuredMessage, "wordCount" | "termCounts"> {
  let wordCount = 0;
  let termCounts: number[] | undefined;
  visitWords(text, ({ word, isPart }) => {
    if (!isPart) wordCount += 1;
    const place = terms.get(word);
    if (place === undefined) return;
    termCounts ??= Array.from({ length: terms.size }, () => 0);
    termCounts[place] = (termCounts[place] ?? 0) + 1;
  });
  return { wordCount, termCounts };
}
