import { LoopxError } from "@loopx/contracts";
import { readDocument, type Rule } from "../documents/field-rule.ts";
import { aToken, publicText, RECORD_TEXT_MAX } from "../documents/public-text.ts";
import type { ReviewWords } from "./review-receipt.ts";

/** What whoever settles says of it. Refuses with `invalid_value`, naming the flag and never the text. */
export function parseReviewWords(words: ReviewWords): ReviewWords {
  return {
    actorRef: take("actor_ref", aToken, words.actorRef),
    reasonCode: take("reason_code", aToken, words.reasonCode),
    summary: take("summary", publicText(RECORD_TEXT_MAX), words.summary),
  };
}

/** A decision's own name. Refuses with `invalid_value`. */
export function parseDecisionId(decisionId: string): string {
  return take("decision_id", aToken, decisionId);
}

function take(field: string, rule: Rule<string>, value: string): string {
  const read = readDocument(rule, value);
  if (read.ok) return read.value;
  throw new LoopxError("invalid_value", {
    message: `--${field.replaceAll("_", "-")} ${read.problems[0]?.message ?? "is malformed"}`,
    details: { field },
  });
}
