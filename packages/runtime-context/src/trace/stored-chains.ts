import type { Instant } from "@loopx/contracts";
import type { Transaction } from "@loopx/store";
import type { KeyRing } from "../keys/key-ring.ts";
import { parseChainKey, toChainKey, type ChainEnds, type ChainName } from "./trace-chain.ts";
import { parseTraceJson } from "./trace-search.ts";

/** A chain as the store has it; of traces without one there is a head that nobody signed. */
export interface StoredChain {
  readonly name: ChainName;
  readonly ends: ChainEnds;
}

/** Every chain of a store in the order of their names, then those that have traces and no head. */
export async function listChains(tx: Transaction): Promise<readonly StoredChain[]> {
  const rows = await tx.all<ChainRow>(`${SELECT_CHAINS} ORDER BY c.chain`);
  const orphans = await tx.all<{ readonly chain: string }>(
    "SELECT DISTINCT chain FROM traces WHERE chain NOT IN (SELECT chain FROM trace_chains) ORDER BY chain",
  );
  return [
    ...rows.map(toStoredChain),
    ...orphans.map(({ chain }) => ({ name: parseChainKey(chain), ends: { count: 0, mac: "", signature: "" } })),
  ];
}

/** The chain of this name, as it is now. */
export async function findChain(tx: Transaction, name: ChainName): Promise<StoredChain | undefined> {
  const row = await tx.get<ChainRow>(`${SELECT_CHAINS} WHERE c.chain = ?`, toChainKey(name));
  return row === undefined ? undefined : toStoredChain(row);
}

interface ChainRow {
  readonly chain: string;
  readonly count: number;
  readonly mac: string;
  readonly signature: string;
  readonly prunedCount: number | null;
  readonly prunedMac: string;
  readonly before: Instant;
  readonly prunedAt: Instant;
  readonly prunedSignature: string;
}

const SELECT_CHAINS = `SELECT c.chain AS chain, c.entry_count AS count, c.mac AS mac, c.signature AS signature,
  g.entry_count AS "prunedCount", g.mac AS "prunedMac", g.began_before AS "before", g.pruned_at AS "prunedAt",
  g.signature AS "prunedSignature" FROM trace_chains c LEFT JOIN trace_prunings g ON g.chain = c.chain`;

function toStoredChain({ chain, count, mac, signature, prunedCount, ...row }: ChainRow): StoredChain {
  const ends = { count, mac, signature };
  const name = parseChainKey(chain);
  if (prunedCount === null) return { name, ends };
  const { prunedMac, before, prunedAt, prunedSignature } = row;
  const pruning = { count: prunedCount, mac: prunedMac, before, at: prunedAt, signature: prunedSignature };
  return { name, ends: { ...ends, pruning } };
}

/**
 * Whether a chain's first trace, or what is said of those that went before it, is of another deployment. Only a word for it: such a
 * chain is never whole.
 */
export async function isOfOther(tx: Transaction, name: ChainName, { deployment }: KeyRing): Promise<boolean> {
  const sql = "SELECT document FROM traces WHERE chain = ? ORDER BY sequence LIMIT 1";
  const first = await tx.get<{ readonly document: string }>(sql, toChainKey(name));
  const gone = await tx.get<{ readonly deployment: string }>(
    "SELECT deployment FROM trace_prunings WHERE chain = ?",
    toChainKey(name),
  );
  const said: unknown = first === undefined ? gone?.deployment : parseTraceJson(first.document)?.deployment;
  return typeof said === "string" && said !== deployment;
}
