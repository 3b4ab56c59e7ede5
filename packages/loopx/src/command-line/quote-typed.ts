import { cutRedacted } from "@loopx/contracts";

/** A word as the user typed it, quoted for a message and cut: enough to recognise it, never a whole pasted text. */
export function quoteTyped(text: string): string {
  const { text: shown, isTruncated } = cutRedacted(text, 40);
  return JSON.stringify(isTruncated ? `${shown}…` : shown);
}
