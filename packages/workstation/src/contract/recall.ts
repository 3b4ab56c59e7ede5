// What the recall screen asks the server, and what it answers: types alone, snake_case as in packets.

/** `GET /api/recall/providers`: advisory providers, whether each is ready now and what mends it. */
export interface RecallProvidersAnswer {
  readonly ok: true;
  readonly providers: readonly RecallProviderRow[];
  /** Commands that an owner runs to get a first provider; empty where there is one. */
  readonly next: readonly string[];
}

export interface RecallProviderRow {
  readonly extension_id: string;
  readonly version: string;
  readonly enabled: boolean;
  readonly doctor_verified: boolean;
  /** `ready`, or the reason code that a receipt would have, such as `extension_disabled`. */
  readonly status: string;
  readonly next_action: string | null;
  /** The command that does it; null where nothing is to be done. */
  readonly command: string | null;
}

/** `GET /api/recall/receipts`: what the latest prepared reviews of all goals keep of recalls. */
export interface RecallReceiptsAnswer {
  readonly ok: true;
  /** Latest first, at most 100. */
  readonly receipts: readonly RecallReceiptRow[];
  /** Whether there are earlier ones, which are not shown. */
  readonly has_more: boolean;
  readonly unread: readonly { readonly label: string; readonly code: string }[];
}

/** The public record of one recall: no content, no query, no scope, no reference into the provider. */
export interface RecallReceiptRow {
  readonly goal_id: string;
  readonly decision_id: string;
  readonly provider: string;
  readonly provider_version: string | null;
  readonly status: "completed" | "unavailable";
  readonly reason_code: string | null;
  readonly query_summary: string;
  readonly observed_at: string;
  readonly requested_limit: number;
  readonly result_count: number;
  readonly latency_ms: number;
  readonly results: readonly RecallResultRow[];
}

export interface RecallResultRow {
  readonly provider_ref: string;
  readonly summary: string;
  readonly score: number;
}
