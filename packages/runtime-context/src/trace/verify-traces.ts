import type { Database, Transaction } from "@loopx/store";
import type { KeyRing } from "../keys/key-ring.ts";
import { listRegisters, type ChainRegister } from "./chain-register.ts";
import { findMisindexed, type MisindexedEntry, type MisindexProblem, type StoredEntry } from "./check-stretch.ts";
import { isOfOther, listChains } from "./stored-chains.ts";
import {
  parseChainKey,
  toChainKey,
  verifyChain,
  type ChainEntry,
  type ChainName,
  type ChainVerdict,
} from "./trace-chain.ts";

export interface ChainReport extends ChainName {
  readonly verdict: ChainVerdict | MisindexedChain | ForeignChain | UnregisteredChain;
}

/**
 * `CHAIN_MISSING`: a register has it and the store doesn't. `CHAIN_UNLISTED`: it is there, and the register of its key, if
 * that is as it was signed, doesn't have it. A register that is missing counts as a chain without writer and month.
 */
export interface UnregisteredChain {
  readonly ok: false;
  readonly firstBadSequence: number;
  readonly problem: "CHAIN_MISSING" | "CHAIN_UNLISTED";
}

/** The store's traces may be of several deployments; only the binding of each checks its own. */
export interface ForeignChain {
  readonly ok: false;
  readonly firstBadSequence: number;
  readonly problem: "OTHER_DEPLOYMENT";
}

/**
 * The trace is as it was written, but the columns that search reads say something else of it, or content that it says is kept
 * is gone without a word of its end.
 */
export interface MisindexedChain {
  readonly ok: false;
  readonly firstBadSequence: number;
  readonly problem: MisindexProblem;
}

const BATCH = 500;

/**
 * Walks every chain of a store, and holds them against the registers. Traces without a chain are reported as a chain without
 * a head that begins with them.
 *
 * Not detected: that all chains under a key and all that came after them are gone, registers included. It is as if an older
 * copy were restored.
 */
export async function verifyTraces(database: Database, ring: KeyRing): Promise<readonly ChainReport[]> {
  return database.read(async (tx) => {
    const registers = await listRegisters(tx, ring);
    const reports = (await walkChains(tx, ring)).map((report) => toRegistered(report, registers));
    return [...reports, ...listMissing(reports, registers)];
  });
}

function toRegistered(report: ChainReport, registers: readonly ChainRegister[]): ChainReport {
  if (report.isRegistered !== true || !report.verdict.ok) return report;
  const chain = toChainKey(report);
  const isListed = registers.some(
    ({ keyId, isAsSigned, chains }) => keyId === report.keyId && isAsSigned && chains.includes(chain),
  );
  if (isListed) return report;
  return { ...report, verdict: { ok: false, firstBadSequence: 1, problem: "CHAIN_UNLISTED" } };
}

/** Also what a register says that isn't as it was signed, or can't be checked: it is no proof that all is well. */
function listMissing(reports: readonly ChainReport[], registers: readonly ChainRegister[]): readonly ChainReport[] {
  const there = new Set(reports.map(toChainKey));
  const keys = new Set(registers.map(({ keyId }) => keyId));
  const names: readonly ChainName[] = registers.flatMap(({ earlierKeys, chains }) => [
    ...earlierKeys.filter((keyId) => !keys.has(keyId)).map((keyId) => ({ writer: "", partition: "", keyId })),
    ...chains.filter((chain) => !there.has(chain)).map(parseChainKey),
  ]);
  return [...new Map(names.map((name) => [toChainKey(name), name])).values()].map((name) => ({
    ...name,
    verdict: { ok: false, firstBadSequence: 1, problem: "CHAIN_MISSING" },
  }));
}

async function walkChains(tx: Transaction, ring: KeyRing): Promise<readonly ChainReport[]> {
  const reports: ChainReport[] = [];
  for (const { name, ends } of await listChains(tx)) {
    let misindexed: MisindexedChain | undefined;
    const entries = readEntries(tx, name, ({ sequence, problem }) => {
      misindexed ??= { ok: false, firstBadSequence: sequence, problem };
    });
    const verdict = await verifyChain(ring, name, ends, entries);
    const isForeign = !verdict.ok && verdict.firstBadSequence === 1 && (await isOfOther(tx, name, ring));
    if (isForeign) reports.push({ ...name, verdict: { ok: false, firstBadSequence: 1, problem: "OTHER_DEPLOYMENT" } });
    else reports.push({ ...name, verdict: verdict.ok ? (misindexed ?? verdict) : verdict });
  }
  return reports;
}

/** The traces of a chain in order. Where what search reads of one says something else, `report` is told. */
export async function* readEntries(
  tx: Transaction,
  name: ChainName,
  report: (misindexed: MisindexedEntry) => void,
): AsyncGenerator<ChainEntry> {
  const chain = toChainKey(name);
  for (let after = Number.MIN_SAFE_INTEGER; ;) {
    const rows = await tx.all<StoredEntry>(
      `SELECT position, sequence, mac, document AS json, trace_id AS id, at, objective, consumer, outcome, summary
       FROM traces WHERE chain = ? AND sequence > ? ORDER BY sequence LIMIT ?`,
      chain,
      after,
      BATCH,
    );
    const misindexed = await findMisindexed(tx, chain, rows);
    if (misindexed !== undefined) report(misindexed);
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.sequence;
  }
}
