import { isPlainText, toCanonicalJson } from "@loopx/contracts";
import type { ProviderItem } from "../providers/provider-outcome.ts";
import { isMarkedPlain } from "../providers/answer/plain-answer.ts";

/** From here on a content stands apart in the text of a turn. At 64 KiB each look at it costs a part of what the turn may. */
const LONG_CONTENT = 4096;

export function hasLongContent({ content }: ProviderItem): boolean {
  return content.length >= LONG_CONTENT;
}

/** Whether nothing in a long content has to be neutralised. Found out once an item. */
export const hasPlainContent = oncePerItem((item) => isMarkedPlain(item) || isPlainText(item.content));

/** A long content as canonical JSON, made once an item: its digests need it, and the packet. Errors as `toCanonicalJson`. */
export const quoteContent = oncePerItem((item) =>
  hasPlainContent(item) ? quotePlain(item.content) : toCanonicalJson(item.content),
);

function oncePerItem<Made>(make: (item: ProviderItem) => Made): (item: ProviderItem) => Made {
  const known = new WeakMap<ProviderItem, { readonly made: Made }>();
  return (item) => {
    const before = known.get(item);
    if (before !== undefined) return before.made;
    const made = make(item);
    known.set(item, { made });
    return made;
  };
}

/** Of all that JSON escapes, plain text has these four alone, and searching for one takes a hundredth of rendering all. */
function quotePlain(text: string): string {
  const escaped = text
    .replaceAll("\\", String.raw`\\`)
    .replaceAll('"', String.raw`\"`)
    .replaceAll("\n", String.raw`\n`)
    .replaceAll("\t", String.raw`\t`);
  return `"${escaped}"`;
}
