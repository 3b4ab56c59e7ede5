import {
  ADVISORY_CAPABILITY,
  ADVISORY_PERMISSION,
  ADVISORY_PROTOCOL,
  ADVISORY_REQUEST_SCHEMA,
  type AdvisoryRequest,
  type DispatchOutcome,
  type ProviderNeed,
  type ProviderReadiness,
  type ResolvedProvider,
  type RuntimeBinding,
} from "@loopx/extensions";
import { refuseSync, type ContextProvider } from "./context-provider.ts";
import { readRetrieveResponse } from "./read-response.ts";
import { NO_PROVIDER, type RecallQuestion, type Retrieval } from "./retrieval.ts";

/** How extensions are found and run: filled with this machine's home and environment. */
export interface AdvisoryRuntime {
  /** One snapshot: readiness and, when ready, the binding that goes with it. Starts nothing. */
  resolve(need: ProviderNeed): Promise<ResolvedProvider>;
  /** One bounded request. Never throws for what a provider does. */
  dispatch(binding: RuntimeBinding, request: AdvisoryRequest, timeoutMs: number): Promise<DispatchOutcome>;
}

/**
 * Recall through an extension. `extensionId` selects exactly that one; null takes the only one that is enabled and ready.
 *
 * No process is started unless the extension is ready.
 */
export function createAdvisoryExtension(extensionId: string | null, runtime: AdvisoryRuntime): ContextProvider {
  return {
    providerId: extensionId,
    retrieve: (question) => retrieve(extensionId, question, runtime),
    sync: (wish) => refuseSync(extensionId ?? NO_PROVIDER, wish),
  };
}

async function retrieve(
  extensionId: string | null,
  question: RecallQuestion,
  runtime: AdvisoryRuntime,
): Promise<Retrieval> {
  const { readiness, binding } = await runtime.resolve({
    capabilityId: ADVISORY_CAPABILITY,
    protocol: ADVISORY_PROTOCOL,
    permission: ADVISORY_PERMISSION,
    ...(extensionId === null ? {} : { extensionId }),
  });
  if (binding === undefined) return toNotReady(extensionId, readiness, question);
  // The shorter of the two limits is both what the provider is told and when it is ended.
  const timeoutMs = Math.min(question.timeoutSeconds * 1000, binding.timeoutMs);
  const request = toRetrieveRequest(question, timeoutMs / 1000);
  const outcome = await runtime.dispatch(binding, request, timeoutMs);
  const failed = {
    ...toNotReady(null, readiness, question),
    provider: NO_PROVIDER,
    reason_code: "provider_retrieval_failed",
    latency_ms: outcome.latencyMs,
  };
  if (outcome.kind === "failed") return { ...failed, diagnostic: outcome.failure };
  const answer = readRetrieveResponse(outcome.response, question.maxResults);
  if (!answer.ok) {
    // The pointer and the rule, never the value: this goes to a terminal only.
    const [first] = answer.problems;
    return { ...failed, diagnostic: `contract: ${first?.pointer ?? ""} ${first?.message ?? ""}` };
  }
  const isCompleted = answer.value.status === "completed";
  const items = answer.value.status === "completed" ? answer.value.items : [];
  return {
    ...failed,
    provider: binding.extensionId,
    status: answer.value.status,
    reason_code: answer.value.status === "completed" ? null : answer.value.reason_code,
    provider_version: binding.providerVersion,
    search_performed: true,
    read_performed: isCompleted && items.length > 0,
    items,
  };
}

/** Exactly the fields of the contract. */
export function toRetrieveRequest(question: RecallQuestion, timeoutSeconds: number): AdvisoryRequest {
  return {
    schema_version: ADVISORY_REQUEST_SCHEMA,
    operation: "retrieve",
    namespace: question.namespace,
    scope_ref: question.scopeRef,
    query: question.query,
    query_summary: question.querySummary,
    max_results: question.maxResults,
    timeout_seconds: timeoutSeconds,
    observed_at: question.observedAt,
  };
}

function toNotReady(
  extensionId: string | null,
  readiness: ProviderReadiness,
  { namespace }: RecallQuestion,
): Retrieval {
  return {
    provider: extensionId ?? readiness.extension_id ?? NO_PROVIDER,
    namespace,
    status: "unavailable",
    reason_code: readiness.status,
    provider_version: null,
    search_performed: false,
    read_performed: false,
    items: [],
    latency_ms: 0,
    readiness,
    diagnostic: null,
  };
}
