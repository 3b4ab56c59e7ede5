import type { Transaction } from "@loopx/store";
import { listSearchedProviders } from "./trace-rows.ts";
import { parseTraceJson } from "./trace-search.ts";

const BATCH = 500;

/** Gives the rows of traces that were written before there was a column for it the digest of their request. */
export async function fillRequestDigests(tx: Transaction): Promise<void> {
  for (let after = 0; ;) {
    const rows = await tx.all<{ readonly position: number; readonly document: string }>(
      "SELECT position, document FROM traces WHERE position > ? ORDER BY position LIMIT ?",
      after,
      BATCH,
    );
    for (const { position, document } of rows) await fillOne(tx, position, document);
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.position;
  }
}

async function fillOne(tx: Transaction, position: number, document: string): Promise<void> {
  const trace = parseTraceJson(document);
  // It can be found as before, and verifying the store names it.
  if (trace === undefined) return;
  for (const { provider, requestDigest } of listSearchedProviders(trace)) {
    const sql = "UPDATE trace_providers SET request_digest = ? WHERE provider = ? AND position = ?";
    await tx.run(sql, requestDigest, provider, position);
  }
}
