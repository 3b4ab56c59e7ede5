import type { Instant } from "@loopx/contracts";
import type { Transaction } from "@loopx/store";
import { listContents, type StoredContent } from "./content-rows.ts";
import type { ContextTrace } from "./context-trace.ts";
import { parseChainKey, type ChainEntry, type ChainName } from "./trace-chain.ts";
import { fromTraceJson } from "./trace-search.ts";

/** A trace as text, with its place in its chain, and the contents that were kept with it. */
export interface RecordedTurn {
  readonly chain: ChainName;
  /** `previous` is the MAC of the trace before it, empty for the first. */
  readonly entry: ChainEntry & { readonly previous: string };
  readonly contents: readonly StoredContent[];
}

/** As it was written, but that content which was kept then and is purged now is said to be gone, and since when. */
export async function findShownTrace(tx: Transaction, id: string): Promise<ContextTrace | undefined> {
  const row = await tx.get<{ readonly document: string }>("SELECT document FROM traces WHERE trace_id = ?", id);
  if (row === undefined) return undefined;
  const trace = fromTraceJson(row.document);
  if (!trace.providers.some(({ contentRetained }) => contentRetained)) return trace;
  const purged = await tx.all<{ readonly provider: string; readonly purgedAt: Instant } & object>(
    `SELECT provider, purged_at AS "purgedAt" FROM retained_contents WHERE trace_id = ? AND purged_at IS NOT NULL`,
    id,
  );
  const providers = trace.providers.map((from) => {
    const contentPurgedAt = purged.find(({ provider }) => provider === from.provider)?.purgedAt;
    return contentPurgedAt === undefined ? from : { ...from, contentRetained: false, contentPurgedAt };
  });
  return { ...trace, providers };
}

/** All that the store has of one turn. */
export async function findRecordedTurn(tx: Transaction, id: string): Promise<RecordedTurn | undefined> {
  const row = await tx.get<{
    readonly document: string;
    readonly chain: string;
    readonly sequence: number;
    readonly mac: string;
    readonly previous: string | null;
  }>(
    `SELECT t.document, t.chain, t.sequence, t.mac, COALESCE(p.mac, g.mac) AS previous
     FROM traces t LEFT JOIN traces p ON p.chain = t.chain AND p.sequence = t.sequence - 1
     LEFT JOIN trace_prunings g ON g.chain = t.chain AND g.entry_count = t.sequence - 1 WHERE t.trace_id = ?`,
    id,
  );
  if (row === undefined) return undefined;
  const { document, chain, sequence, mac, previous } = row;
  return {
    chain: parseChainKey(chain),
    entry: { sequence, mac, json: document, previous: previous ?? "" },
    // Of most turns nothing is kept, and the text says so.
    contents: document.includes('"contentRetained":true') ? await listContents(tx, id) : [],
  };
}
