import type { ProviderItem } from "../provider-outcome.ts";

/** Every other control character stands escaped in JSON, as one of the first four. An escaped backslash before such a letter only costs a closer look. */
const NOT_PLAIN = [String.raw`\u`, String.raw`\b`, String.raw`\f`, String.raw`\r`, "\u007f"];

const plainItems = new WeakSet<ProviderItem>();

/**
 * Whether a JSON text tells by itself that all strings in it are printable ASCII, tabs and line feeds. False where it would
 * need a closer look. A search for a piece takes a hundredth of looking at every character of 64 KiB.
 */
export function isPlainJson(text: string, byteCount: number): boolean {
  return text.length === byteCount && !NOT_PLAIN.some((piece) => text.includes(piece));
}

/** Notes that an item came from such a text. */
export function markPlain(item: ProviderItem): void {
  plainItems.add(item);
}

export function isMarkedPlain(item: ProviderItem): boolean {
  return plainItems.has(item);
}
