import { isPlainText } from "./neutralise-text.ts";

/** What shows nothing by itself: formats, private use, joiners, variation selectors, and what fonts leave out. */
const INVISIBLE = /[\p{Cf}\p{Co}\p{Default_Ignorable_Code_Point}]+/gu;

/**
 * The text as it is left when everything invisible goes from it. What is looked for in a text is looked for in this one: a
 * zero-width space hides a credential from a rule, and is taken out again before somebody reads it. Linear.
 */
export function toVisibleText(text: string): string {
  return isPlainText(text) ? text : text.replace(INVISIBLE, "");
}

/** A stretch of code units. */
export interface TextSpan {
  readonly start: number;
  readonly end: number;
}

/** Ascending stretches of the visible text, as stretches of the text itself: what is hidden inside one belongs to it. */
export function toSpansOf<Span extends TextSpan>(text: string, visibleSpans: readonly Span[]): readonly Span[] {
  const hidden = [...text.matchAll(INVISIBLE)].map(({ index, 0: found }) => ({ index, length: found.length }));
  let passed = 0;
  let shift = 0;
  const toOffset = (visible: number): number => {
    for (let next = hidden[passed]; next !== undefined && next.index <= visible + shift; next = hidden[passed]) {
      shift += next.length;
      passed += 1;
    }
    return visible + shift;
  };
  return visibleSpans.map((span) => ({ ...span, start: toOffset(span.start), end: toOffset(span.end - 1) + 1 }));
}
