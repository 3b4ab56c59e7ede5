import { containsCredential, LIMITS, LoopxError, parseStorableText } from "@loopx/contracts";

/**
 * Takes a text that a person or an agent wrote, exactly.
 *
 * Refuses with `text_not_storable`, `text_too_long`, `invalid_value` and, naming only the rule, `credential_refused`.
 */
export function parseWrittenText(text: string, field: string): string {
  const stored = parseStorableText(text, { field, maxCodePoints: LIMITS.todoTextMaxCodePoints });
  refusePlaceholder(stored, field);
  refuseCredential(stored, field);
  return stored;
}

/** Refuses a text that is nothing but a stand-in of a printed command: `<what was done and how it was checked>`. */
export function refusePlaceholder(text: string, field: string): void {
  if (!/^<[^<>\n]{1,80}>$/.test(text.trim())) return;
  throw new LoopxError("invalid_value", {
    message: `${field} is a placeholder: put your own words in its place`,
    details: { field },
  });
}

/** Refuses a text that holds a credential; prose about credentials passes. */
export function refuseCredential(text: string, field: string): void {
  const rule = containsCredential(text);
  if (rule === undefined) return;
  throw new LoopxError("credential_refused", {
    message: `${field} holds a credential (${rule}); nothing was stored`,
    hint: `take the credential out of ${field} and refer to where it is kept instead, such as env:NAME`,
    details: { field, rule },
  });
}
