import type { Retrieval, RecallQuestion } from "./retrieval.ts";

/** Whoever answers recalls. One implementation is built in: an extension of the advisory protocol. */
export interface ContextProvider {
  /** Who may answer: an extension's id, or null where the only ready one does. */
  readonly providerId: string | null;
  /** May throw: the collector makes an unavailable answer of it. */
  retrieve(question: RecallQuestion): Promise<Retrieval>;
  /** What became of a wish to write. A read-only provider starts nothing. */
  sync(wish: SyncWish): SyncReceipt;
}

export interface SyncWish {
  readonly namespace: string;
  readonly resourceCount: number;
  readonly observedAt: string;
}

/** `context_provider_sync_v0`. */
export interface SyncReceipt {
  readonly schema_version: "context_provider_sync_v0";
  readonly ok: false;
  readonly provider: string;
  readonly namespace: string;
  readonly visibility: "public";
  readonly status: "unavailable";
  readonly reason_code: "read_only_provider";
  readonly provider_version: null;
  readonly observed_at: string;
  readonly requested_count: number;
  readonly completed_count: 0;
  readonly write_count: 0;
  readonly pending_count: 0;
  readonly reconciliation_performed: false;
  readonly retry_disposition: "none";
  readonly result_refs: readonly [];
  readonly telemetry: { readonly latency_ms: 0 };
  readonly external_writes_performed: false;
  readonly raw_provider_payload_captured: false;
  readonly raw_content_captured: false;
  readonly credentials_captured: false;
}

/** The answer of every provider that only reads. */
export function refuseSync(provider: string, { namespace, resourceCount, observedAt }: SyncWish): SyncReceipt {
  return {
    schema_version: "context_provider_sync_v0",
    ok: false,
    provider,
    namespace,
    visibility: "public",
    status: "unavailable",
    reason_code: "read_only_provider",
    provider_version: null,
    observed_at: observedAt,
    requested_count: resourceCount,
    completed_count: 0,
    write_count: 0,
    pending_count: 0,
    reconciliation_performed: false,
    retry_disposition: "none",
    result_refs: [],
    telemetry: { latency_ms: 0 },
    external_writes_performed: false,
    raw_provider_payload_captured: false,
    raw_content_captured: false,
    credentials_captured: false,
  };
}
