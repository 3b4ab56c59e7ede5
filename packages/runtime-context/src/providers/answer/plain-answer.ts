import type { ProviderItem } from "../provider-outcome.ts";

/** Escapes that stand for what may have to be neutralised. Every other control character can't stand in JSON but as `\u`. */
const TELLING = new Set(["u", "b", "f", "r"]);
/** A text with more escapes gets the closer look: hopping from one to the next would hold the process for longer. */
const MOST_ESCAPES = 2_000;

const plainItems = new WeakSet<ProviderItem>();

/**
 * Whether a JSON text tells by itself that all strings in it are printable ASCII, tabs and line feeds. False where it would
 * need a closer look. A search for a piece takes a hundredth of looking at every character of 64 KiB.
 */
export function isPlainJson(text: string, byteCount: number): boolean {
  if (text.length !== byteCount || text.includes("\u007f")) return false;
  let escapes = 0;
  for (let at = text.indexOf("\\"); at !== -1; at = text.indexOf("\\", at + 2)) {
    escapes += 1;
    if (escapes > MOST_ESCAPES || TELLING.has(text[at + 1] ?? "")) return false;
  }
  return true;
}

/** Notes that an item came from such a text. */
export function markPlain(item: ProviderItem): void {
  plainItems.add(item);
}

export function isMarkedPlain(item: ProviderItem): boolean {
  return plainItems.has(item);
}
