/** Texts of callers in budget tests are runs of characters of this one block, so that a packet's own bytes can be told apart. */
const CALLERS_TEXT = /[\u4e00-\u9fff]+/g;

/** Minified bytes of a packet without the caller's own text, and without ids that the caller chose, where any are named. */
export function countOwnBytes(packet: unknown, callersIds: readonly string[] = []): number {
  const json = JSON.stringify(packet).replaceAll(CALLERS_TEXT, "");
  return Buffer.byteLength(callersIds.reduce((rest, id) => rest.replaceAll(id, ""), json));
}

/** How often a text of the caller, a run of one character, stands in a packet. */
export function countCopies(packet: unknown, character: string): number {
  return JSON.stringify(packet).match(new RegExp(`${character}+`, "g"))?.length ?? 0;
}
