import type { Instant } from "@loopx/contracts";
import type { SqlValue, Transaction } from "@loopx/store";
import { insertRows } from "./insert-rows.ts";
import type { RetainedContent } from "./retain-content.ts";

/** Why content is gone: its time was over, newer content needed its room, or somebody asked for it. */
export type PurgeCause = "expired" | "quota" | "requested";

/** What is left of a content that was kept: all of it, or when and why it went. */
export interface StoredContent {
  readonly provider: string;
  readonly keyId: string;
  readonly expiresAt: Instant;
  /** Null once it was purged. */
  readonly sealed: string | null;
  readonly purgedAt: Instant | null;
  readonly purgedBecause: PurgeCause | null;
}

/** A content and the trace it belongs to. */
export interface TracedContent extends RetainedContent {
  readonly traceId: string;
}

/** Stores contents beside their traces, then makes room: of each provider the oldest over its quota go. */
export async function storeContents(tx: Transaction, contents: readonly TracedContent[], now: Instant): Promise<void> {
  await insertRows(
    tx,
    "retained_contents (trace_id, deployment, provider, key_id, expires_at, bytes, sealed)",
    contents.map(({ traceId, deployment, provider, keyId, expiresAt, sealed }) => [
      traceId,
      deployment,
      provider,
      keyId,
      expiresAt,
      sealed.length,
      sealed,
    ]),
  );
  const added = new Map<string, ContentOwner & { readonly bytes: number; readonly quotaBytes: number }>();
  for (const { deployment, provider, sealed, quotaBytes } of contents) {
    const owner = JSON.stringify([deployment, provider]);
    const bytes = (added.get(owner)?.bytes ?? 0) + sealed.length;
    added.set(owner, { deployment, provider, bytes, quotaBytes });
  }
  for (const each of added.values()) {
    await addToTotal(tx, each);
    await purgeToQuota(tx, each, now);
  }
}

/** All that was kept with a trace. */
export function listContents(tx: Transaction, traceId: string): Promise<readonly StoredContent[]> {
  return tx.all<StoredContent & object>(
    `SELECT provider, key_id AS "keyId", expires_at AS "expiresAt", sealed, purged_at AS "purgedAt",
       purged_because AS "purgedBecause"
     FROM retained_contents WHERE trace_id = ? ORDER BY provider`,
    traceId,
  );
}

/** Which contents to purge; every part that is there must hold. */
export interface PurgeFilter {
  readonly traceId?: string;
  readonly provider?: string;
  /** Kept by turns of this deployment; with nothing else, all of them. */
  readonly deployment?: string;
  readonly expiredAt?: Instant;
}

/** Purges at most `limit` contents, oldest first; resolves to how many. Their rows stay and say so. */
export async function purgeContents(
  tx: Transaction,
  filter: PurgeFilter,
  { because, now, limit }: { readonly because: PurgeCause; readonly now: Instant; readonly limit: number },
): Promise<number> {
  const { where, parameters } = toConditions(filter);
  const rows = await tx.all<LiveContent & object>(
    `SELECT id, deployment, provider, bytes FROM retained_contents WHERE ${where} ORDER BY id LIMIT ?`,
    ...parameters,
    limit,
  );
  for (const row of rows) await purgeOne(tx, row, { because, now });
  return rows.length;
}

/** How many contents a filter names that are there still. */
export async function countContents(tx: Transaction, filter: PurgeFilter): Promise<number> {
  const { where, parameters } = toConditions(filter);
  const sql = `SELECT COUNT(*) AS count FROM retained_contents WHERE ${where}`;
  return (await tx.get<{ readonly count: number }>(sql, ...parameters))?.count ?? 0;
}

function toConditions(filter: PurgeFilter): { readonly where: string; readonly parameters: readonly SqlValue[] } {
  const conditions = ["sealed IS NOT NULL"];
  const parameters: SqlValue[] = [];
  const require = (condition: string, value: SqlValue | undefined): void => {
    if (value === undefined) return;
    conditions.push(condition);
    parameters.push(value);
  };
  require("expires_at <= ?", filter.expiredAt);
  require("trace_id = ?", filter.traceId);
  require("deployment = ?", filter.deployment);
  require("provider = ?", filter.provider);
  return { where: conditions.join(" AND "), parameters };
}

interface ContentOwner {
  readonly deployment: string;
  readonly provider: string;
}

interface LiveContent extends ContentOwner {
  readonly id: number;
  readonly bytes: number;
}

const QUOTA_STEP = 16;

async function purgeToQuota(
  tx: Transaction,
  { deployment, provider, quotaBytes }: ContentOwner & { readonly quotaBytes: number },
  now: Instant,
): Promise<void> {
  let over = (await loadTotal(tx, { deployment, provider })) - quotaBytes;
  while (over > 0) {
    const oldest = await tx.all<LiveContent & object>(
      `SELECT id, deployment, provider, bytes FROM retained_contents
       WHERE deployment = ? AND provider = ? AND sealed IS NOT NULL ORDER BY id LIMIT ?`,
      deployment,
      provider,
      QUOTA_STEP,
    );
    if (oldest.length === 0) return;
    for (const content of oldest) {
      if (over <= 0) return;
      await purgeOne(tx, content, { because: "quota", now });
      over -= content.bytes;
    }
  }
}

/** The row without its content. In a file zeroes take the place of what was there: it could be read with the key still. */
async function purgeOne(
  tx: Transaction,
  { id, deployment, provider, bytes }: LiveContent,
  { because, now }: { readonly because: PurgeCause; readonly now: Instant },
): Promise<void> {
  const sql = "UPDATE retained_contents SET sealed = NULL, purged_at = ?, purged_because = ? WHERE id = ?";
  await tx.run(sql, now, because, id);
  await addToTotal(tx, { deployment, provider, bytes: -bytes });
}

/** Removes contents with their rows, for traces that go too. */
export async function removeContents(
  tx: Transaction,
  condition: string,
  parameters: readonly SqlValue[],
): Promise<void> {
  const live = await tx.all<ContentOwner & { readonly bytes: number }>(
    `SELECT deployment, provider, SUM(bytes) AS bytes FROM retained_contents
     WHERE sealed IS NOT NULL AND ${condition} GROUP BY deployment, provider`,
    ...parameters,
  );
  for (const { deployment, provider, bytes } of live) await addToTotal(tx, { deployment, provider, bytes: -bytes });
  await tx.run(`DELETE FROM retained_contents WHERE ${condition}`, ...parameters);
}

async function loadTotal(tx: Transaction, { deployment, provider }: ContentOwner): Promise<number> {
  const sql = "SELECT bytes FROM retained_totals WHERE deployment = ? AND provider = ?";
  return (await tx.get<{ readonly bytes: number }>(sql, deployment, provider))?.bytes ?? 0;
}

async function addToTotal(
  tx: Transaction,
  { deployment, provider, bytes }: ContentOwner & { readonly bytes: number },
): Promise<void> {
  await tx.run(
    `INSERT INTO retained_totals (deployment, provider, bytes) VALUES (?, ?, ?)
     ON CONFLICT (deployment, provider) DO UPDATE SET bytes = retained_totals.bytes + excluded.bytes`,
    deployment,
    provider,
    bytes,
  );
}
