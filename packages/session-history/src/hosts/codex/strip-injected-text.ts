/** Begins what Codex puts before or instead of a person's words. */
const INJECTED = [
  "<environment_context>",
  "<user_instructions>",
  "<permissions instructions>",
  "<collaboration_mode>",
  "<subagent_notification>",
  "<turn_aborted>",
  "<user_shell_command>",
  "<skill>",
  "<INSTRUCTIONS>",
  "# AGENTS.md instructions",
];
const IDE_CONTEXT = "# Context from my IDE setup:";
/** In a message from an IDE, what the person wrote follows this heading. */
const IDE_REQUEST = "## My request for Codex:";

/** What a person wrote in a user message; empty when all of it was injected. */
export function stripInjectedText(text: string): string {
  const trimmed = text.trim();
  if (trimmed.startsWith(IDE_CONTEXT)) {
    const at = trimmed.indexOf(IDE_REQUEST);
    return at === -1 ? "" : trimmed.slice(at + IDE_REQUEST.length).trim();
  }
  return INJECTED.some((beginning) => trimmed.startsWith(beginning)) ? "" : trimmed;
}
