import { sinceStartMs } from "../process/since-start.ts";
import type { AdvisoryProviderDefinition } from "./provider-definition.ts";
import { parseRetrieveRequest, type RetrieveRequest } from "./retrieve-request.ts";
import { type RetrieveAnswer, type RetrieveResponse, toResponse, toUnavailableResponse } from "./retrieve-response.ts";

export interface AnsweredRequest {
  readonly response: RetrieveResponse;
  /** For the author, on stderr: names a field or a rule, never a value. */
  readonly fault?: string;
  /** What `retrieve` threw: for a person who asks to see it, and nobody else. */
  readonly thrown?: unknown;
}

export interface AnswerOptions {
  readonly args: readonly string[];
  /** When the caller's deadline began, on the clock of `sinceStartMs`. */
  readonly startedAtMs: number;
}

type Outcome =
  | { readonly kind: "answered"; readonly answer: RetrieveAnswer }
  | { readonly kind: "threw"; readonly thrown: unknown }
  | { readonly kind: "late" };

/** Answers one request. Never throws: whatever goes wrong is an `unavailable` response with a reason. */
export async function answerRequest(
  definition: AdvisoryProviderDefinition,
  bytes: Uint8Array,
  options: AnswerOptions,
): Promise<AnsweredRequest> {
  const parsed = parseRetrieveRequest(bytes);
  if (parsed.kind === "refused") return { response: toUnavailableResponse("request_invalid"), fault: parsed.fault };
  const outcome = await retrieveInTime(definition, parsed.request, options);
  switch (outcome.kind) {
    case "late":
      return { response: toUnavailableResponse("deadline_exceeded"), fault: "retrieve took too long" };
    case "threw":
      return {
        response: toUnavailableResponse("provider_error"),
        fault: "retrieve threw",
        thrown: outcome.thrown,
      };
    case "answered": {
      const response = toResponse(outcome.answer, parsed.request.max_results);
      if (!("fault" in response)) return { response };
      return { response: toUnavailableResponse("provider_answer_invalid"), fault: response.fault };
    }
  }
  return outcome satisfies never;
}

/** The caller kills at `timeout_seconds`: a fifth of it, at most two seconds, is kept for writing and being read. */
export function budgetMs(timeoutSeconds: number): number {
  return timeoutSeconds * 1000 - Math.min(timeoutSeconds * 200, 2000);
}

async function retrieveInTime(
  definition: AdvisoryProviderDefinition,
  request: RetrieveRequest,
  { args, startedAtMs }: AnswerOptions,
): Promise<Outcome> {
  const endsAtMs = startedAtMs + budgetMs(request.timeout_seconds);
  const remainingMs = (): number => Math.max(0, endsAtMs - sinceStartMs());
  const controller = new AbortController();
  const { signal } = controller;
  const late = new Promise<Outcome>((resolve) => {
    signal.addEventListener("abort", () => resolve({ kind: "late" }), { once: true });
  });
  const timer = setTimeout(() => controller.abort(), remainingMs());
  try {
    return await Promise.race([callRetrieve(definition, request, { args, signal, remainingMs }), late]);
  } finally {
    clearTimeout(timer);
  }
}

async function callRetrieve(
  definition: AdvisoryProviderDefinition,
  ...call: Parameters<AdvisoryProviderDefinition["retrieve"]>
): Promise<Outcome> {
  try {
    return { kind: "answered", answer: await definition.retrieve(...call) };
  } catch (thrown) {
    const [, { signal }] = call;
    // Work that was told to stop throws because of that.
    return signal.aborted ? { kind: "late" } : { kind: "threw", thrown };
  }
}
