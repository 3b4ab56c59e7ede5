import type { Transaction } from "@loopx/store";

/** What would be lost with a key. */
export interface KeyUses {
  /** Traces whose digests and chain need it. */
  readonly traceCount: number;
  /** Contents that are kept and can be read with it alone. */
  readonly contentCount: number;
}

/** What each key of a store is needed for, by the key's id, whatever deployment it is of. */
export async function countKeyUses(tx: Transaction): Promise<ReadonlyMap<string, KeyUses>> {
  const rows = await tx.all<{ readonly keyId: string } & KeyUses & object>(
    `SELECT key_id AS "keyId", SUM(traces) AS "traceCount", SUM(contents) AS "contentCount" FROM (
       SELECT c.key_id AS key_id, c.entry_count - COALESCE(g.entry_count, 0) AS traces, 0 AS contents
       FROM trace_chains c LEFT JOIN trace_prunings g ON g.chain = c.chain
       UNION ALL SELECT key_id, 0, COUNT(*) FROM retained_contents WHERE sealed IS NOT NULL GROUP BY key_id
     ) uses GROUP BY key_id`,
  );
  return new Map(rows.map(({ keyId, traceCount, contentCount }) => [keyId, { traceCount, contentCount }]));
}
