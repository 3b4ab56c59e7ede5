import type { ProviderReadiness } from "@loopx/extensions";
import { toProviderRef } from "../fingerprints/references.ts";
import type { RecalledItem } from "./advisory-protocol.ts";

/** What one recall asks. The query and the scope are private. */
export interface RecallQuestion {
  readonly namespace: string;
  readonly scopeRef: string;
  readonly query: string;
  readonly querySummary: string;
  /** 1 to 8. */
  readonly maxResults: number;
  /** Whether more were asked for than the 8 that are given at most. */
  readonly isCapped: boolean;
  /** 1 to 120. */
  readonly timeoutSeconds: number;
  readonly observedAt: string;
}

/** What became of a recall, with what must not leave the process. */
export interface Retrieval {
  /** The extension that answered or would have; `context-provider` where none was reached. */
  readonly provider: string;
  readonly namespace: string;
  readonly status: "completed" | "unavailable";
  readonly reason_code: string | null;
  readonly provider_version: string | null;
  readonly search_performed: boolean;
  readonly read_performed: boolean;
  readonly items: readonly RecalledItem[];
  readonly latency_ms: number;
  readonly readiness: ProviderReadiness | null;
  /** Why it failed, for the person at this machine: `timeout`, `contract: /items/0/score …`. In no packet. */
  readonly diagnostic: string | null;
}

/** The name in receipts where no provider was reached. */
export const NO_PROVIDER = "context-provider";

/** The public record of a recall, `context_provider_retrieval_v0`: no content, no reference, no query, no scope. */
export interface RetrievalReceipt {
  readonly schema_version: "context_provider_retrieval_v0";
  readonly ok: boolean;
  readonly provider: string;
  readonly namespace: string;
  readonly visibility: "public";
  readonly status: "completed" | "unavailable";
  readonly reason_code: string | null;
  readonly provider_version: string | null;
  readonly query_summary: string;
  readonly observed_at: string;
  readonly search_performed: boolean;
  readonly read_performed: boolean;
  readonly requested_limit: number;
  readonly result_count: number;
  readonly results: readonly ReceiptResult[];
  readonly telemetry: { readonly latency_ms: number; readonly result_cap_applied: boolean };
  readonly fail_open: true;
  readonly external_writes_performed: false;
  readonly raw_provider_payload_captured: boolean;
  readonly raw_content_captured: boolean;
  readonly credentials_captured: false;
}

interface ReceiptResult {
  readonly provider_ref: string;
  readonly summary: string;
  readonly score: number;
}

/** The receipt of a recall. What it says it has not captured is looked for in its own text. */
export function toRetrievalReceipt(retrieval: Retrieval, question: RecallQuestion): RetrievalReceipt {
  const { provider, namespace, status, items } = retrieval;
  const receipt = {
    schema_version: "context_provider_retrieval_v0",
    ok: status === "completed",
    provider,
    namespace,
    visibility: "public",
    status,
    reason_code: retrieval.reason_code,
    provider_version: retrieval.provider_version,
    query_summary: question.querySummary,
    observed_at: question.observedAt,
    search_performed: retrieval.search_performed,
    read_performed: retrieval.read_performed,
    requested_limit: question.maxResults,
    result_count: items.length,
    results: items.map((item) => ({
      provider_ref: toProviderRef(provider, namespace, item.resource_ref),
      summary: item.summary,
      score: item.score,
    })),
    telemetry: {
      latency_ms: retrieval.latency_ms,
      result_cap_applied: question.isCapped || items.length >= question.maxResults,
    },
    fail_open: true,
    external_writes_performed: false,
  } as const;
  return {
    ...receipt,
    raw_provider_payload_captured: holdsAny(receipt, [...items.map((item) => item.resource_ref), question.scopeRef]),
    raw_content_captured: holdsAny(receipt, [...items.map(({ content }) => content), question.query]),
    credentials_captured: false,
  };
}

/** Shorter texts are words that stand in a summary by chance. */
const TELLING_LENGTH = 16;

/** Whether one of these texts stands whole in what a packet says. */
export function holdsAny(packet: object, texts: readonly string[]): boolean {
  const said = JSON.stringify(packet);
  return texts
    .map((text) => JSON.stringify(text.replaceAll(/\s+/g, " ").trim()).slice(1, -1))
    .some((text) => text.length >= TELLING_LENGTH && said.includes(text));
}
