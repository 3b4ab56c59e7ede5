import { containsCredential, isLoopxError, LIMITS, parseStorableText, refuse, type Refusal } from "@loopx/contracts";

const FIELD = "task_text";

/**
 * Why a task text can't be handed over; undefined when it can. The text itself is never repeated.
 *
 * The same limits as where a task is stored, so that a handoff never leads to a command that refuses its text.
 */
export function findTextRefusal(text: string): Refusal | undefined {
  if (text === "") return undefined;
  try {
    parseStorableText(text, { field: FIELD, maxBytes: LIMITS.taskTextMaxBytes });
  } catch (error) {
    if (!isLoopxError(error)) throw error;
    return refuse(error.code, {
      message: error.message,
      hint: HINTS[error.code] ?? "write the task again as plain text",
      details: { field: FIELD },
    });
  }
  const rule = containsCredential(text);
  if (rule === undefined) return undefined;
  return refuse("credential_refused", {
    message: `${FIELD} holds a credential (${rule}); nothing was handed over`,
    hint: "take the credential out and refer to where it is kept instead, such as env:NAME",
    details: { field: FIELD, rule },
  });
}

const HINTS: Readonly<Record<string, string>> = {
  text_too_long: "put the details into a file of the project and name that file in the task",
};
