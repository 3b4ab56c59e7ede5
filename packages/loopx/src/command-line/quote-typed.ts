/** A word as the user typed it, quoted for a message and cut: enough to recognise it, never a whole pasted text. */
export function quoteTyped(text: string): string {
  const points = Array.from(text);
  return JSON.stringify(points.length <= 40 ? text : `${points.slice(0, 39).join("")}…`);
}
