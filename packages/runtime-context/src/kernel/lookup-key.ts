/** Names one lookup of a turn: (provider, value). Provider ids hold no line feed, so no two pairs share a key. */
export function toLookupKey(provider: string, value: string): string {
  return `${provider}\n${value}`;
}
