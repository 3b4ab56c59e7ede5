import type { RetrieveRequest } from "../../src/index.ts";

/** A valid request, with some fields changed. */
export function someRequest(changes: Readonly<Record<string, unknown>> = {}): RetrieveRequest {
  return {
    schema_version: "decision_context_advisory_retrieve_request_v0",
    operation: "retrieve",
    namespace: "peer-session",
    scope_ref: "host-session:codex:thread-a",
    query: "current implementation decision",
    query_summary: "peer task decision",
    max_results: 4,
    timeout_seconds: 10,
    observed_at: "2026-09-05T00:00:00+00:00",
    ...changes,
  };
}

export function toBytes(value: unknown): Uint8Array {
  return new TextEncoder().encode(typeof value === "string" ? value : JSON.stringify(value));
}
