import type { DispatchOutcome } from "../dispatch/dispatch-request.ts";
import { listAnswerFaults } from "./advisory-answer-faults.ts";
import { toSampleRequest, type AdvisoryRequest } from "./advisory-request.ts";
import type { ConformanceCheck } from "@loopx/contracts";
import { explainFailure } from "./explain-failure.ts";

/** One request, and what is to become of it. */
export interface RetrieveCase {
  readonly name: string;
  readonly request: object;
  readonly timeoutMs: number;
  readonly judge: (outcome: DispatchOutcome) => Omit<ConformanceCheck, "name">;
}

/** A scope that no provider has: whatever it answers, it is about nothing. */
const NOBODYS_SCOPE = "host-session:codex:extension-check-0000";
const QUESTION = "which decision was made";
const SHORT_SECONDS = 2;

/** The requests that every advisory provider is held against; those it must not answer come after those it must. */
export function listRetrieveCases(asked: {
  readonly scopeRef?: string | undefined;
  readonly query?: string | undefined;
  readonly timeoutMs: number;
}): readonly RetrieveCase[] {
  const { scopeRef = NOBODYS_SCOPE, query = QUESTION, timeoutMs } = asked;
  const request = toSampleRequest({ scopeRef, query, timeoutSeconds: timeoutMs / 1000 });
  const { query: _left, ...withoutQuery } = request;
  const answered = (name: string, changes: Partial<AdvisoryRequest>, limitMs = timeoutMs): RetrieveCase => {
    const changed = { ...request, ...changes };
    return {
      name,
      request: changed,
      timeoutMs: limitMs,
      judge: (outcome) => judgeAnswer(outcome, changed.max_results),
    };
  };
  const refused = (name: string, malformed: object): RetrieveCase => ({
    name,
    request: malformed,
    timeoutMs,
    judge: (outcome) => judgeRefusal(outcome),
  });
  const shortMs = Math.min(timeoutMs, SHORT_SECONDS * 1000);
  return [
    answered("answers a retrieve request", {}),
    answered("keeps max_results", { max_results: 1 }),
    answered("answers in a short time", { timeout_seconds: shortMs / 1000 }, shortMs),
    answered("takes any text as a query", { query: "\u202E\u0007 \"'`$(id)`\\ ü 履歴 OR NOT * ( %" }),
    { ...answered("finds nothing in a scope that is a path", { scope_ref: "../../etc/passwd" }), judge: judgeNothing },
    refused("refuses an unknown field", { ...request, unknown_field: true }),
    refused("refuses a missing field", withoutQuery),
    refused("refuses another schema_version", { ...request, schema_version: "another_request_v9" }),
    refused("refuses another operation", { ...request, operation: "sync" }),
    refused("refuses max_results 0", { ...request, max_results: 0 }),
    refused("refuses what is no request", {}),
  ];
}

function judgeAnswer(outcome: DispatchOutcome, maxResults: number): Omit<ConformanceCheck, "name"> {
  if (outcome.kind === "failed") return toFailed(outcome, REMEDIES[outcome.failure] ?? ANSWER_REMEDY);
  const { response, latencyMs } = outcome;
  const faults = listAnswerFaults(response, maxResults);
  if (faults.length > 0) return { state: "failed", found: faults.join("; "), remedy: ANSWER_REMEDY };
  const { items, reason_code: reason, status } = response;
  const what = status === "completed" ? `${(items as unknown[]).length} item(s)` : `unavailable, ${String(reason)}`;
  return { state: "passed", found: `${what}, in ${latencyMs} ms` };
}

const ANSWER_REMEDY = "write one answer of decision_context_advisory_retrieve_response_v0 to stdout and end with 0";
const REMEDIES: Readonly<Record<string, string>> = {
  timeout: "answer within timeout_seconds of the request, with some time left",
  response_not_json_object: "write logs to stderr, and one JSON object in UTF-8, nothing else, to stdout",
  entrypoint_changed: "write nothing into the extension's own folder",
};

function judgeNothing(outcome: DispatchOutcome): Omit<ConformanceCheck, "name"> {
  const hasItems = outcome.kind === "answered" && JSON.stringify(outcome.response["items"]) !== "[]";
  if (!hasItems) return judgeRefusalOrAnswer(outcome);
  return {
    state: "failed",
    found: "it found something there",
    remedy: "take a scope as an opaque name, never as a path, and answer unavailable for one that is not yours",
  };
}

function judgeRefusalOrAnswer(outcome: DispatchOutcome): Omit<ConformanceCheck, "name"> {
  return outcome.kind === "answered" ? judgeAnswer(outcome, 4) : judgeRefusal(outcome);
}

/** A refusal is an answer `unavailable`, `ok: false`, or an exit code; in time, like everything. */
function judgeRefusal(outcome: DispatchOutcome): Omit<ConformanceCheck, "name"> {
  const remedy =
    "look at every field first, and refuse: status unavailable with a reason_code, or an exit code that is not 0";
  if (outcome.kind === "failed") {
    const isRefusal =
      outcome.failure === "ok_false" || (outcome.failure === "nonzero_exit" && outcome.exitCode !== null);
    return isRefusal ? { state: "passed", found: toFound(outcome) } : toFailed(outcome, remedy);
  }
  if (outcome.response["status"] === "unavailable") return judgeAnswer(outcome, 4);
  return { state: "failed", found: "it answered as if nothing were wrong", remedy };
}

type Failed = Extract<DispatchOutcome, { readonly kind: "failed" }>;

function toFailed(outcome: Failed, remedy: string): Omit<ConformanceCheck, "name"> {
  return { state: "failed", found: toFound(outcome), remedy };
}

function toFound({ failure, exitCode }: Failed): string {
  return explainFailure(failure, exitCode);
}
