/** Begins the markers that LoopX sets around content it hands to an agent. */
const FENCE = "[[loopx-";
const PACKET_MARKS = ["decision_context_ephemeral_recall_v0", "untrusted_advisory"];

/**
 * Whether a message repeats what a recall brought. It would come back as if the session had said it, and each recall of it
 * would make it look better confirmed.
 */
export function isEarlierRecall(text: string): boolean {
  return text.includes(FENCE) || PACKET_MARKS.every((mark) => text.includes(mark));
}
