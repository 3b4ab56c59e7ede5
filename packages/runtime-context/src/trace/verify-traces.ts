import { toCanonicalJson } from "@loopx/contracts";
import type { Database, Transaction } from "@loopx/store";
import type { KeyRing } from "../keys/key-ring.ts";
import type { ContextTrace } from "./context-trace.ts";
import { listRegisters, type ChainRegister } from "./chain-register.ts";
import {
  parseChainKey,
  toChainKey,
  verifyChain,
  type ChainEntry,
  type ChainHead,
  type ChainName,
  type ChainVerdict,
} from "./trace-chain.ts";
import { listSearchedLayers, listSearchedProviders } from "./trace-rows.ts";
import { parseTraceJson } from "./trace-search.ts";
import { toTraceSpan } from "./trace-span.ts";
import { renderTraceSummary } from "./trace-summary.ts";

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

type MisindexProblem = "INDEX_ALTERED" | "CONTENT_MISSING";

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
  for (const { head, ...name } of await listChains(tx)) {
    let misindexed: MisindexedChain | undefined;
    const entries = readEntries(tx, name, (found) => (misindexed ??= found));
    const verdict = await verifyChain(ring, name, head, entries);
    const isForeign = !verdict.ok && verdict.firstBadSequence === 1 && (await isOfOther(tx, name, ring));
    if (isForeign) reports.push({ ...name, verdict: { ok: false, firstBadSequence: 1, problem: "OTHER_DEPLOYMENT" } });
    else reports.push({ ...name, verdict: verdict.ok ? (misindexed ?? verdict) : verdict });
  }
  return reports;
}

/** Whether a chain's first trace says that another deployment made it. Only a word for it: such a chain is never whole. */
async function isOfOther(tx: Transaction, name: ChainName, { deployment }: KeyRing): Promise<boolean> {
  const sql = "SELECT document FROM traces WHERE chain = ? ORDER BY sequence LIMIT 1";
  const first = await tx.get<{ readonly document: string }>(sql, toChainKey(name));
  const said: unknown = first && parseTraceJson(first.document)?.deployment;
  return typeof said === "string" && said !== deployment;
}

type StoredChain = ChainName & { readonly head: ChainHead };

/** The chains of a store, and those that traces name and no head ends. */
export async function listChains(tx: Transaction): Promise<readonly StoredChain[]> {
  const rows = await tx.all<{
    readonly chain: string;
    readonly count: number;
    readonly mac: string;
    readonly signature: string;
  }>("SELECT chain, entry_count AS count, mac, signature FROM trace_chains ORDER BY chain");
  const orphans = await tx.all<{ readonly chain: string }>(
    "SELECT DISTINCT chain FROM traces WHERE chain NOT IN (SELECT chain FROM trace_chains) ORDER BY chain",
  );
  return [
    ...rows.map(({ chain, ...head }) => ({ ...parseChainKey(chain), head })),
    ...orphans.map(({ chain }) => ({ ...parseChainKey(chain), head: { count: 0, mac: "", signature: "" } })),
  ];
}

interface StoredEntry extends ChainEntry, Pick<ContextTrace, "id" | "at" | "objective" | "consumer" | "outcome"> {
  readonly position: number;
  readonly summary: string;
}

/** The traces of a chain in order. Where what search reads of one says something else, `report` is told. */
export async function* readEntries(
  tx: Transaction,
  name: ChainName,
  report: (misindexed: MisindexedChain) => void,
): AsyncGenerator<ChainEntry> {
  for (let after = Number.MIN_SAFE_INTEGER; ;) {
    const rows = await tx.all<StoredEntry>(
      `SELECT position, sequence, mac, document AS json, trace_id AS id, at, objective, consumer, outcome, summary
       FROM traces WHERE chain = ? AND sequence > ? ORDER BY sequence LIMIT ?`,
      toChainKey(name),
      after,
      BATCH,
    );
    for (const row of rows) {
      const problem = await findMisindexProblem(tx, row);
      if (problem !== null) report({ ok: false, firstBadSequence: row.sequence, problem });
      yield row;
    }
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.sequence;
  }
}

async function findMisindexProblem(tx: Transaction, row: StoredEntry): Promise<MisindexProblem | null> {
  const trace = parseTraceJson(row.json);
  // What isn't even JSON fails at the chain.
  if (trace === undefined) return null;
  if (!(await isIndexedAsWritten(tx, row, trace))) return "INDEX_ALTERED";
  return (await hasItsContents(tx, trace)) ? null : "CONTENT_MISSING";
}

/** A content that was purged has its row still. */
async function hasItsContents(tx: Transaction, { id, providers }: ContextTrace): Promise<boolean> {
  const kept = providers.filter(({ contentRetained }) => contentRetained).map(({ provider }) => provider);
  if (kept.length === 0) return true;
  const sql = "SELECT provider FROM retained_contents WHERE trace_id = ?";
  const rows = await tx.all<{ readonly provider: string }>(sql, id);
  return kept.every((provider) => rows.some((row) => row.provider === provider));
}

async function isIndexedAsWritten(tx: Transaction, row: StoredEntry, trace: ContextTrace): Promise<boolean> {
  const providers = await tx.all(
    `SELECT provider, status, request_digest AS "requestDigest" FROM trace_providers WHERE position = ?`,
    row.position,
  );
  const layers = await tx.all("SELECT layer FROM trace_layers WHERE position = ?", row.position);
  const span = await tx.get(
    "SELECT span FROM trace_spans WHERE span = ? AND first_position <= ? AND last_position >= ?",
    toTraceSpan(row.at),
    row.position,
    row.position,
  );
  const stored = [row.id, row.at, row.objective, row.consumer, row.outcome, row.summary];
  const { id, at, objective, consumer, outcome } = trace;
  return (
    span !== undefined &&
    toCanonicalJson(stored) === toCanonicalJson([id, at, objective, consumer, outcome, renderTraceSummary(trace)]) &&
    hasSameRows(
      providers,
      listSearchedProviders(trace).map(({ provider, status, requestDigest }) => ({ provider, status, requestDigest })),
    ) &&
    hasSameRows(
      layers,
      listSearchedLayers(trace).map((layer) => ({ layer })),
    )
  );
}

/** Side rows have no order of their own. */
function hasSameRows(left: readonly unknown[], right: readonly unknown[]): boolean {
  const [leftTexts, rightTexts] = [left, right].map((rows) => rows.map(toCanonicalJson).toSorted());
  return toCanonicalJson(leftTexts) === toCanonicalJson(rightTexts);
}
