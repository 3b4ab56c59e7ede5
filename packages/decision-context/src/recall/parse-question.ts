import { LoopxError } from "@loopx/contracts";
import { readDocument, type Rule } from "../documents/field-rule.ts";
import { privateText, publicText, SUMMARY_MAX } from "../documents/public-text.ts";
import {
  MAX_RESULTS,
  SCOPE_MAX,
  TIMEOUT_MAX_S,
  TIMEOUT_MIN_S,
  type ContextProviderSettings,
} from "../profile/profile.ts";
import { QUERY_MAX } from "./advisory-protocol.ts";
import { holdsAny, type RecallQuestion } from "./retrieval.ts";

/** What a caller says of one recall; what is left out is taken from the profile. */
export interface AskedRecall {
  readonly scopeRef: string;
  readonly query: string;
  readonly querySummary: string;
  /** Any positive number; more than 8 is 8. */
  readonly maxResults: number | undefined;
  readonly timeoutSeconds: number | undefined;
  readonly observedAt: string;
}

/** The checked parts of a recall that its profile has no say in. */
export type CheckedRecall = AskedRecall & { readonly isChecked: true };

/** Checks what a caller said. Refuses with `invalid_value`, naming the field and never the text. */
export function parseAskedRecall(asked: AskedRecall): CheckedRecall {
  const { maxResults, timeoutSeconds } = asked;
  if (maxResults !== undefined && !(Number.isSafeInteger(maxResults) && maxResults >= 1)) {
    throw toFieldError("max_results", "takes a positive whole number; more than 8 is 8");
  }
  if (timeoutSeconds !== undefined && !(timeoutSeconds >= TIMEOUT_MIN_S && timeoutSeconds <= TIMEOUT_MAX_S)) {
    throw toFieldError("timeout_seconds", `takes a number from ${TIMEOUT_MIN_S} to ${TIMEOUT_MAX_S}`);
  }
  const query = take("query", privateText(QUERY_MAX), asked.query);
  const querySummary = take("query_summary", publicText(SUMMARY_MAX), asked.querySummary);
  if (holdsAny({ querySummary }, [query])) {
    throw toFieldError(
      "query_summary",
      "repeats the query, which stays private; say in general words what it is about",
    );
  }
  const scopeRef = take("context_scope_ref", privateText(SCOPE_MAX), asked.scopeRef);
  return { ...asked, query, querySummary, scopeRef, isChecked: true };
}

function take(field: string, rule: Rule<string>, value: string): string {
  const read = readDocument(rule, value);
  if (read.ok) return read.value;
  throw toFieldError(field, read.problems[0]?.message ?? "is malformed");
}

function toFieldError(field: string, message: string): LoopxError {
  return new LoopxError("invalid_value", {
    message: `--${field.replaceAll("_", "-")} ${message}`,
    details: { field },
  });
}

/** The question that a checked call puts under a profile's settings. */
export function toRecallQuestion(asked: CheckedRecall, settings: ContextProviderSettings): RecallQuestion {
  const wanted = asked.maxResults ?? settings.max_results;
  return {
    namespace: settings.namespace,
    scopeRef: asked.scopeRef,
    query: asked.query,
    querySummary: asked.querySummary,
    maxResults: Math.min(wanted, MAX_RESULTS),
    isCapped: wanted > MAX_RESULTS,
    timeoutSeconds: asked.timeoutSeconds ?? settings.timeout_seconds,
    observedAt: asked.observedAt,
  };
}
