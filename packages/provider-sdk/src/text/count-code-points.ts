/** Bounds of the protocol count code points, not the UTF-16 units of `length`. */
export function countCodePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}
