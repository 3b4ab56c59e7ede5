/**
 * What shows that a text repeats an earlier recall: all marks of one of these are in it. The first begins the markers that
 * LoopX sets around content it hands to an agent; the second pair stands in the packet of a recall.
 */
export const EARLIER_RECALL_MARKS: readonly (readonly string[])[] = [
  ["[[loopx-"],
  ["decision_context_ephemeral_recall_v0", "untrusted_advisory"],
];

/**
 * Whether a message repeats what a recall brought, for providers that read sessions. It would come back as if the session had
 * said it, and each recall of it would make it look better confirmed.
 */
export function isEarlierRecall(text: string): boolean {
  return EARLIER_RECALL_MARKS.some((marks) => marks.every((mark) => text.includes(mark)));
}
