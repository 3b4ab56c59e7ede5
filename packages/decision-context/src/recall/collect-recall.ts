import type { ContextProvider } from "./context-provider.ts";
import {
  NO_PROVIDER,
  toRetrievalReceipt,
  type RecallQuestion,
  type Retrieval,
  type RetrievalReceipt,
} from "./retrieval.ts";

/** A recall that was carried out or degraded, with its public receipt. */
export interface CollectedRecall {
  readonly retrieval: Retrieval;
  readonly receipt: RetrievalReceipt;
}

/**
 * Asks a provider and answers in any case: this is the one place where recall fails open.
 *
 * `provider`: null where the profile names one that this program does not have. A provider that throws is
 * `provider_retrieval_failed`; one whose answer is not its own, is over the limit, or would put content into the public
 * receipt is `provider_contract_invalid`.
 */
export async function collectRecall(
  provider: ContextProvider | null,
  question: RecallQuestion,
): Promise<CollectedRecall> {
  const retrieval = await tryRetrieve(provider, question);
  const receipt = toRetrievalReceipt(retrieval, question);
  const breach = findBreach(retrieval, receipt, { provider, question });
  if (breach === undefined) return { retrieval, receipt };
  const invalid = {
    ...toUnavailable("provider_contract_invalid", question, `contract: ${breach}`),
    readiness: retrieval.readiness,
    latency_ms: retrieval.latency_ms,
  };
  return { retrieval: invalid, receipt: toRetrievalReceipt(invalid, question) };
}

async function tryRetrieve(provider: ContextProvider | null, question: RecallQuestion): Promise<Retrieval> {
  if (provider === null) return toUnavailable("provider_retrieval_failed", question, "unknown_provider");
  try {
    return await provider.retrieve(question);
  } catch (error) {
    const name = error instanceof Error ? error.name : typeof error;
    return toUnavailable("provider_retrieval_failed", question, `failed: ${name}`);
  }
}

function findBreach(
  retrieval: Retrieval,
  receipt: RetrievalReceipt,
  { provider, question }: { readonly provider: ContextProvider | null; readonly question: RecallQuestion },
): string | undefined {
  // Without a selected extension the answer is that of the one it was resolved to.
  const allowed = [NO_PROVIDER, provider?.providerId ?? retrieval.readiness?.extension_id ?? NO_PROVIDER];
  if (!allowed.includes(retrieval.provider)) return "another provider answered";
  if (retrieval.namespace !== question.namespace) return "the answer is of another namespace";
  if (retrieval.items.length > question.maxResults) return "more items than asked for";
  if (receipt.raw_content_captured || receipt.raw_provider_payload_captured) return "a summary repeats private text";
  return undefined;
}

function toUnavailable(reason_code: string, { namespace }: RecallQuestion, diagnostic: string): Retrieval {
  return {
    provider: NO_PROVIDER,
    namespace,
    status: "unavailable",
    reason_code,
    provider_version: null,
    search_performed: false,
    read_performed: false,
    items: [],
    latency_ms: 0,
    readiness: null,
    diagnostic,
  };
}
