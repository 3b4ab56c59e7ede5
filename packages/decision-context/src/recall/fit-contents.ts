/** UTF-8 bytes of content that one recall returns, all items together: what an agent can read in one go. */
export const RECALL_CONTENT_BYTES = 65_536;

export interface FittedContent {
  readonly text: string;
  readonly isTruncated: boolean;
}

/** The contents within the budget: short ones whole, what they leave over is shared by the long ones. */
export function fitContents(contents: readonly string[], budgetBytes = RECALL_CONTENT_BYTES): readonly FittedContent[] {
  const sizes = contents.map((content) => Buffer.byteLength(content));
  const shares = new Map<number, number>();
  let left = budgetBytes;
  const bySize = sizes.map((size, index) => ({ size, index })).toSorted((one, other) => one.size - other.size);
  for (const [rank, { size, index }] of bySize.entries()) {
    const share = Math.min(size, Math.floor(left / (bySize.length - rank)));
    shares.set(index, share);
    left -= share;
  }
  return contents.map((content, index) => {
    const share = shares.get(index) ?? 0;
    if (share >= (sizes[index] ?? 0)) return { text: content, isTruncated: false };
    return { text: cutBytes(content, share), isTruncated: true };
  });
}

/** Whole characters within this many bytes: a decoder leaves out what is cut in the middle. */
function cutBytes(text: string, bytes: number): string {
  const head = Buffer.from(text).subarray(0, bytes);
  return new TextDecoder().decode(head, { stream: true });
}
