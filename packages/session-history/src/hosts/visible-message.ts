/** What a person saw in a session: their own words, or the agent's answer to them. */
export interface VisibleMessage {
  readonly role: "user" | "assistant";
  readonly text: string;
  /** As the host wrote it; null when it didn't. */
  readonly sentAt: string | null;
}
