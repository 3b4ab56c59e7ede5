import { compareCodePoints } from "../fingerprints/stable-json.ts";
import type { Profile, ProfileSource } from "../profile/profile.ts";
import type { AuthoritySource, ScanOutcome, SourceAdapter, SourceItem } from "./authority-source.ts";
import type { ScannedChange, SourceScan } from "./source-scan.ts";

export interface ScanParts {
  readonly adapters: readonly SourceAdapter[];
  /** Where each source was read up to by the last settled review. */
  readonly cursors: ReadonlyMap<string, string>;
  readonly observedAt: string;
  readonly before: string;
  readonly timeoutMs: number;
  readonly monotonicMs: () => number;
}

/** Scans the sources one after the other, by their ids. Each fails for itself; none is started twice. */
export async function scanSources(
  profile: Profile,
  sources: readonly ProfileSource[],
  parts: ScanParts,
): Promise<readonly SourceScan[]> {
  const scans: SourceScan[] = [];
  for (const source of sources.toSorted((one, other) => compareCodePoints(one.source_id, other.source_id))) {
    scans.push(await scanSource(profile, source, parts));
  }
  return scans;
}

async function scanSource(profile: Profile, source: ProfileSource, parts: ScanParts): Promise<SourceScan> {
  const began = parts.monotonicMs();
  const blank = {
    source,
    reason_code: null,
    observed_at: parts.observedAt,
    cursor_before: parts.cursors.get(source.source_id) ?? null,
    cursor_after: null,
    changes: [],
  };
  const finish = (
    rest: Pick<SourceScan, "status"> & Partial<Pick<SourceScan, "reason_code" | "cursor_after" | "changes">>,
    version: string | null,
  ): SourceScan => {
    const latency_ms = Math.round(parts.monotonicMs() - began);
    return { ...blank, provider_version: version, latency_ms, ...rest };
  };
  const opened = openSource(profile, source, parts.adapters);
  if (typeof opened === "string") return finish({ status: "unavailable", reason_code: opened }, null);
  const outcome = await tryScan(opened, source, parts);
  if (outcome === undefined) {
    return finish({ status: "unavailable", reason_code: "provider_scan_failed" }, opened.version);
  }
  if (outcome.status !== "completed") return finish(outcome, opened.version);
  if (breaksContract(outcome.items, source)) {
    return finish({ status: "unavailable", reason_code: "provider_contract_invalid" }, opened.version);
  }
  const changes = await readChanges(opened, source, { items: outcome.items, timeoutMs: parts.timeoutMs });
  return finish({ status: "completed", cursor_after: outcome.cursor_after, changes }, opened.version);
}

/** The source's provider, or the reason why there is none. */
function openSource(
  profile: Profile,
  { provider_id }: ProfileSource,
  adapters: readonly SourceAdapter[],
): AuthoritySource | string {
  const binding = profile.source_provider_bindings.find((one) => one.provider_id === provider_id);
  const adapter = adapters.find(({ name }) => name === binding?.adapter);
  if (binding === undefined || adapter === undefined) return "provider_not_configured";
  try {
    return adapter.open(binding.config);
  } catch {
    return "provider_configuration_failed";
  }
}

async function tryScan(
  authority: AuthoritySource,
  source: ProfileSource,
  { cursors, before, observedAt, timeoutMs }: ScanParts,
): Promise<ScanOutcome | undefined> {
  const request = {
    source,
    after_cursor: cursors.get(source.source_id) ?? null,
    before,
    limit: source.max_changes,
    timeout_ms: timeoutMs,
    observed_at: observedAt,
  };
  return settleWithin(timeoutMs, () => authority.scan(request));
}

/** More changes than asked for, or one named twice. */
function breaksContract(items: readonly SourceItem[], { max_changes }: ProfileSource): boolean {
  const keys = new Set(items.map(({ resource_ref, revision }) => `${resource_ref}\n${revision}`));
  return items.length === 0 || items.length > max_changes || keys.size !== items.length;
}

async function readChanges(
  authority: AuthoritySource,
  source: ProfileSource,
  { items, timeoutMs }: { readonly items: readonly SourceItem[]; readonly timeoutMs: number },
): Promise<readonly ScannedChange[]> {
  const changes: ScannedChange[] = [];
  for (const item of items) {
    const content =
      source.exact_read_policy === "never"
        ? undefined
        : await settleWithin(timeoutMs, () => authority.readExactly(source, item));
    changes.push({ item, content: content ?? null });
  }
  return changes;
}

/** What a source answers in time; undefined for whatever it throws and for no answer. */
async function settleWithin<Answer>(timeoutMs: number, ask: () => Promise<Answer>): Promise<Answer | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), timeoutMs);
  });
  try {
    return await Promise.race([ask(), late]);
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}
