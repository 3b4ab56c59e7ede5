/** Schemas of the messages of `decision_context_advisory_provider_v0` (seed 000). */
export const REQUEST_SCHEMA = "decision_context_advisory_retrieve_request_v0";
export const RESPONSE_SCHEMA = "decision_context_advisory_retrieve_response_v0";

/** The longest query of a recall. */
export const QUERY_MAX = 1000;

/** What is sent to a provider: exactly these fields, in this order. */
export interface RetrieveRequest {
  readonly schema_version: typeof REQUEST_SCHEMA;
  readonly operation: "retrieve";
  readonly namespace: string;
  readonly scope_ref: string;
  readonly query: string;
  readonly query_summary: string;
  readonly max_results: number;
  readonly timeout_seconds: number;
  readonly observed_at: string;
}

/** One thing that a provider found. `resource_ref` and `content` never leave the process but in a one-off recall. */
export interface RecalledItem {
  readonly resource_ref: string;
  readonly summary: string;
  readonly content: string;
  readonly score: number;
}

/** A provider's answer, checked. */
export type RetrieveResponse =
  | { readonly status: "completed"; readonly items: readonly RecalledItem[] }
  | { readonly status: "unavailable"; readonly reason_code: string };
