/** Schema of a provider's answer in `decision_context_advisory_provider_v0` (seed 000). */
export const RESPONSE_SCHEMA = "decision_context_advisory_retrieve_response_v0";

/** The longest query of a recall. */
export const QUERY_MAX = 1000;

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
