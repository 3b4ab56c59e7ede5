import type { Instant } from "@loopx/contracts";
import type { Transaction } from "@loopx/store";
import type { KeyRing } from "../keys/key-ring.ts";
import { removeContents } from "./content-rows.ts";
import { findChain, isOfOther, listChains, type StoredChain } from "./stored-chains.ts";
import {
  signPruning,
  toChainKey,
  verifyEntry,
  verifyHead,
  verifyPruning,
  type ChainEntry,
  type ChainName,
} from "./trace-chain.ts";
import { parseTraceJson } from "./trace-search.ts";

/** A chain whose first trace began before the moment asked for. */
export interface AgedChain {
  readonly name: ChainName;
  /** Traces from the beginning on that began before it; null where the chain can't be told from an altered one. */
  readonly traceCount: number | null;
}

interface FirstTrace {
  readonly sequence: number;
  readonly at: Instant;
}

/** The chains of the ring's deployment that begin with a trace from before a moment. */
export async function listAgedChains(tx: Transaction, ring: KeyRing, before: Instant): Promise<readonly AgedChain[]> {
  const aged: AgedChain[] = [];
  for (const chain of await listChains(tx)) {
    const { name, ends } = chain;
    const first = await findFrom(tx, name, "sequence > ?", ends.pruning?.count ?? 0);
    if (first === undefined || first.at >= before || (await isOfOther(tx, name, ring))) continue;
    if (!isAsSigned(ring, chain)) {
      aged.push({ name, traceCount: null });
      continue;
    }
    const kept = await findFrom(tx, name, "at >= ?", before);
    aged.push({ name, traceCount: (kept?.sequence ?? ends.count + 1) - first.sequence });
  }
  return aged;
}

/** The first trace of a chain for which a condition holds; the columns behind it are read in the order of the chain. */
async function findFrom(
  tx: Transaction,
  name: ChainName,
  condition: "sequence > ?" | "at >= ?",
  value: number | Instant,
): Promise<FirstTrace | undefined> {
  const sql = `SELECT sequence, at FROM traces WHERE chain = ? AND ${condition} ORDER BY sequence LIMIT 1`;
  return tx.get<FirstTrace & object>(sql, toChainKey(name), value);
}

/** Of a chain whose key is destroyed nobody can tell; its traces grow old like the others. */
function isAsSigned(ring: KeyRing, { name, ends: { pruning, ...head } }: StoredChain): boolean {
  const ofHead = verifyHead(ring, name, head);
  const ofPruning = pruning === undefined ? "match" : verifyPruning(ring, name, pruning);
  const isChecked = (verdict: typeof ofHead): boolean => verdict === "match" || verdict === "key_destroyed";
  return isChecked(ofHead) && isChecked(ofPruning);
}

export interface PruneStep {
  readonly before: Instant;
  readonly now: Instant;
  /** Traces removed at most. */
  readonly limit: number;
}

/** How many went, and whether the chain ended there because the next trace is not as it was written. */
export interface PrunedStretch {
  readonly traceCount: number;
  readonly isAltered: boolean;
}

/**
 * Removes traces from the beginning of a chain, as long as they began before a moment, with all that belongs to them; says so in a
 * signed record in the same transaction. Stops at a trace that isn't as it was written: signing over it would hide who altered it.
 */
export async function pruneChain(
  tx: Transaction,
  ring: KeyRing,
  name: ChainName,
  { before, now, limit }: PruneStep,
): Promise<PrunedStretch> {
  const chain = await findChain(tx, name);
  if (chain === undefined || !isAsSigned(ring, chain)) return { traceCount: 0, isAltered: true };
  const { pruning } = chain.ends;
  const from = pruning?.count ?? 0;
  const entries = await tx.all<AgedEntry & object>(
    `SELECT position, sequence, mac, document AS json FROM traces WHERE chain = ? AND sequence > ?
     ORDER BY sequence LIMIT ?`,
    toChainKey(name),
    from,
    limit,
  );
  const { aged, isAltered } = takeAged(ring, name, { entries, from, previous: pruning?.mac ?? "", before });
  const last = aged.at(-1);
  if (last === undefined) return { traceCount: 0, isAltered };
  await removeStretch(tx, [toChainKey(name), from, last.sequence]);
  await upsertPruning(tx, ring, name, { count: last.sequence, mac: last.mac, before, at: now, aged });
  return { traceCount: aged.length, isAltered };
}

interface AgedEntry extends ChainEntry {
  readonly position: number;
}

interface Beginning {
  readonly entries: readonly AgedEntry[];
  readonly from: number;
  readonly previous: string;
  readonly before: Instant;
}

function takeAged(
  ring: KeyRing,
  name: ChainName,
  { entries, from, previous, before }: Beginning,
): { readonly aged: readonly AgedEntry[]; readonly isAltered: boolean } {
  const aged: AgedEntry[] = [];
  for (const entry of entries) {
    const place = from + aged.length + 1;
    const verdict = verifyEntry(ring, name, { ...entry, previous: aged.at(-1)?.mac ?? previous });
    // Not the column beside it, which nothing signs.
    const at = parseTraceJson(entry.json)?.at;
    const isAltered = entry.sequence !== place || verdict === "mismatch" || verdict === "key_unknown";
    if (isAltered || at === undefined) return { aged, isAltered: true };
    if (at >= before) break;
    aged.push(entry);
  }
  return { aged, isAltered: false };
}

type Stretch = readonly [chain: string, from: number, to: number];

async function removeStretch(tx: Transaction, stretch: Stretch): Promise<void> {
  await tx.run(`DELETE FROM trace_providers WHERE position IN ${ofStretch("position")}`, ...stretch);
  await tx.run(`DELETE FROM trace_layers WHERE position IN ${ofStretch("position")}`, ...stretch);
  await removeContents(tx, `trace_id IN ${ofStretch("trace_id")}`, stretch);
  await tx.run("DELETE FROM traces WHERE chain = ? AND sequence > ? AND sequence <= ?", ...stretch);
}

/** A column of the traces that go, as a list in a statement. */
function ofStretch(column: string): string {
  return `(SELECT ${column} FROM traces WHERE chain = ? AND sequence > ? AND sequence <= ?)`;
}

async function upsertPruning(
  tx: Transaction,
  ring: KeyRing,
  name: ChainName,
  { aged, ...pruning }: PruningParts,
): Promise<void> {
  const { count, mac, before, at, signature } = signPruning(ring, name, pruning);
  const lastPosition = aged.reduce((most, { position }) => Math.max(most, position), 0);
  await tx.run(
    `INSERT INTO trace_prunings
       (chain, deployment, entry_count, mac, began_before, pruned_at, last_position, signature)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (chain) DO UPDATE SET entry_count = excluded.entry_count, mac = excluded.mac,
       began_before = excluded.began_before, pruned_at = excluded.pruned_at, last_position = excluded.last_position,
       signature = excluded.signature`,
    toChainKey(name),
    ring.deployment,
    count,
    mac,
    before,
    at,
    lastPosition,
    signature,
  );
}

interface PruningParts {
  readonly count: number;
  readonly mac: string;
  readonly before: Instant;
  readonly at: Instant;
  readonly aged: readonly AgedEntry[];
}

/** Drops what is known of ten minutes of which no trace is left. The last ones stay where there is no trace at all. */
export async function removeEmptySpans(tx: Transaction): Promise<void> {
  await tx.run("DELETE FROM trace_spans WHERE last_position < (SELECT MIN(position) FROM traces)");
}
