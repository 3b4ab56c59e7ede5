import { addMs, LoopxError, parseDuration, parseInstant, parseTodoId, type Instant } from "@loopx/contracts";

/**
 * Takes `todo_done:ID`, `after:TIME` (an instant or a duration from now) or `manual`, in stored form.
 *
 * Nothing that cannot be evaluated offline is accepted.
 */
export function parseResumeCondition(text: string, now: Instant): string {
  if (text === "manual") return text;
  if (text.startsWith("todo_done:")) {
    return `todo_done:${parseTodoId(text.slice("todo_done:".length), "resume")}`;
  }
  if (text.startsWith("after:")) {
    const when = text.slice("after:".length);
    const until = /^\d+[smhd]$/.test(when) ? addMs(now, parseDuration(when, "resume")) : parseInstant(when, "resume");
    return `after:${until}`;
  }
  throw new LoopxError("invalid_value", {
    message: "resume takes todo_done:ID, after:TIME or manual",
    hint: "for example --resume=after:2h or --resume=todo_done:todo_1a2b3c4d5e6f",
    details: { field: "resume" },
  });
}

/** Whether a stored condition holds now; `until` when a time is what it waits for. */
export function readResume(
  resume: string | null,
  doneTodoIds: ReadonlySet<string>,
  now: Instant,
): { readonly isMet: boolean; readonly until: Instant | null } {
  if (resume === null || resume === "manual") return { isMet: false, until: null };
  if (resume.startsWith("after:")) {
    const until = resume.slice("after:".length) as Instant;
    return { isMet: until <= now, until };
  }
  return { isMet: doneTodoIds.has(resume.slice("todo_done:".length)), until: null };
}
