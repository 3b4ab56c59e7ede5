/** Schema of a retrieve request. */
export const ADVISORY_REQUEST_SCHEMA = "decision_context_advisory_retrieve_request_v0";

/** A retrieve request as LoopX sends it (seed 000): exactly these fields, in this order. */
export interface AdvisoryRequest {
  readonly schema_version: typeof ADVISORY_REQUEST_SCHEMA;
  readonly operation: "retrieve";
  readonly namespace: string;
  readonly scope_ref: string;
  readonly query: string;
  readonly query_summary: string;
  readonly max_results: number;
  readonly timeout_seconds: number;
  readonly observed_at: string;
}

/** A request that every provider must be able to answer, if only with `unavailable`. */
export function toSampleRequest(sample: {
  readonly scopeRef: string;
  readonly query: string;
  readonly timeoutSeconds: number;
}): AdvisoryRequest {
  return {
    schema_version: ADVISORY_REQUEST_SCHEMA,
    operation: "retrieve",
    namespace: "extension-check",
    scope_ref: sample.scopeRef,
    query: sample.query,
    query_summary: "a question of extension check",
    max_results: 4,
    timeout_seconds: sample.timeoutSeconds,
    observed_at: "2026-01-01T00:00:00.000Z",
  };
}
