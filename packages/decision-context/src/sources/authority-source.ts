import type { ProfileSource } from "../profile/profile.ts";

/** One change that a scan found. The reference is private. */
export interface SourceItem {
  readonly resource_ref: string;
  readonly revision: string;
  /** When the source itself says this revision is from, or when it was seen. */
  readonly observed_at: string;
}

/** What a scan found. `no_change` says that the source was read and is as it was; whatever kept it from being read is a failure. */
export type ScanOutcome =
  | { readonly status: "completed"; readonly cursor_after: string; readonly items: readonly SourceItem[] }
  | { readonly status: "no_change"; readonly cursor_after: string | null }
  | { readonly status: "failed" | "unavailable"; readonly reason_code: string };

export interface ScanRequest {
  readonly source: ProfileSource;
  readonly after_cursor: string | null;
  /** What is newer does not count: a source that only has that was not read. */
  readonly before: string;
  readonly limit: number;
  readonly timeout_ms: number;
  readonly observed_at: string;
}

/** One authority behind a profile's source provider: reads, and decides nothing. May throw: the scan is then unavailable. */
export interface AuthoritySource {
  readonly version: string;
  scan(request: ScanRequest): Promise<ScanOutcome>;
  /** The exact text of one item of this scan. Throws when it is not what was scanned any more. */
  readExactly(source: ProfileSource, item: SourceItem): Promise<string>;
}

/** How sources of one kind are opened. */
export interface SourceAdapter {
  readonly name: string;
  /** Throws on settings that break the adapter's rules. */
  open(config: Readonly<Record<string, unknown>>): AuthoritySource;
}
