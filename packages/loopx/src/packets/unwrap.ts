import { fromRefusal, type Refusal } from "@loopx/contracts";

/** The accepted answer; a refusal is thrown for the border to render. */
export function unwrap<Answer extends { readonly ok: true }>(answer: Answer | Refusal): Answer {
  if (answer.ok) return answer;
  throw fromRefusal(answer);
}
