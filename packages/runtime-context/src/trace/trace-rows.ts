import { LoopxError, type Instant } from "@loopx/contracts";
import type { Transaction } from "@loopx/store";
import type { KeyRing } from "../keys/key-ring.ts";
import { storeContents, type TracedContent } from "./content-rows.ts";
import type { ContextTrace } from "./context-trace.ts";
import { insertRows } from "./insert-rows.ts";
import type { RetainedContent } from "./retain-content.ts";
import { registerChain } from "./chain-register.ts";
import { extendChain, openChain, toChainKey, verifyHead, type ChainHead, type ChainName } from "./trace-chain.ts";
import type { TraceSafe } from "./trace-safe.ts";
import { toTraceSpan } from "./trace-span.ts";
import { renderTraceSummary } from "./trace-summary.ts";

export interface TraceWriter {
  readonly ring: KeyRing;
  readonly writer: string;
}

/** A trace, what is kept with it, and whose chain it goes to. */
export interface WrittenTrace {
  readonly trace: TraceSafe;
  readonly contents: readonly RetainedContent[];
  readonly writer: TraceWriter;
}

/**
 * Appends traces to the chains of their writers, in the given order. Inside one write transaction.
 *
 * Refuses with `store_corrupt` to extend a chain whose head isn't as it was signed, and as `registerChain` to open one: that
 * would sign over the damage.
 */
export async function appendTraces(tx: Transaction, traces: readonly WrittenTrace[], now: Instant): Promise<void> {
  let position = await loadLastPosition(tx);
  const rows: NewTrace[] = [];
  const spans = new Map<string, TraceSpan>();
  const heads = new Map<string, { readonly name: ChainName; readonly head: ChainHead }>();
  for (const {
    trace: { trace, json },
    writer: { writer, ring },
  } of traces) {
    const partition = trace.at.slice(0, 7);
    const name: ChainName = { writer, partition, keyId: ring.activeKeyId, isRegistered: true };
    const key = toChainKey(name);
    const before = heads.get(key)?.head ?? (await loadHead(tx, name, ring));
    const head = extendChain(ring, name, before, json);
    heads.set(key, { name, head });
    position += 1;
    rows.push({ trace, json, chain: key, head, position });
    const span = toTraceSpan(trace.at);
    spans.set(span, { first: spans.get(span)?.first ?? position, last: position });
  }
  await insertTraces(tx, rows);
  await storeContents(tx, traces.flatMap(toTracedContents), now);
  for (const [span, positions] of spans) await upsertSpan(tx, span, positions);
  for (const { name, head } of heads.values()) await upsertHead(tx, name, head);
}

/** Whether a trace was written already: batches are written whole or not at all. */
export async function hasTrace(tx: Transaction, id: string): Promise<boolean> {
  return (await tx.get("SELECT position FROM traces WHERE trace_id = ?", id)) !== undefined;
}

/** Positions are given under the write lock of the store, so they are in the order of commits; none is given twice. */
async function loadLastPosition(tx: Transaction): Promise<number> {
  const last = await tx.get<{ readonly position: number | null }>(
    `SELECT MAX(position) AS position FROM (
       SELECT MAX(position) AS position FROM traces UNION ALL SELECT MAX(last_position) FROM trace_prunings
     ) given`,
  );
  return last?.position ?? 0;
}

function toTracedContents({ trace, contents }: WrittenTrace): readonly TracedContent[] {
  return contents.map((content) => ({ ...content, traceId: trace.trace.id }));
}

/** The positions between which the traces of ten minutes stand. */
interface TraceSpan {
  readonly first: number;
  readonly last: number;
}

/** Positions only grow, so the first one of a span stays. */
async function upsertSpan(tx: Transaction, span: string, { first, last }: TraceSpan): Promise<void> {
  await tx.run(
    `INSERT INTO trace_spans (span, first_position, last_position) VALUES (?, ?, ?)
     ON CONFLICT (span) DO UPDATE SET last_position = excluded.last_position`,
    span,
    first,
    last,
  );
}

async function loadHead(tx: Transaction, name: ChainName, ring: KeyRing): Promise<ChainHead> {
  const head = await tx.get<{ readonly count: number; readonly mac: string; readonly signature: string }>(
    "SELECT entry_count AS count, mac, signature FROM trace_chains WHERE chain = ?",
    toChainKey(name),
  );
  if (head === undefined) {
    await registerChain(tx, ring, name);
    return openChain(ring, name);
  }
  if (verifyHead(ring, name, head) === "match") return head;
  throw new LoopxError("store_corrupt", {
    message: `the head of trace chain ${toChainKey(name)} was altered; no trace was added to it`,
    hint: "look at the store with loopx context traces verify, and record into another store",
  });
}

interface NewTrace {
  readonly trace: ContextTrace;
  readonly json: string;
  readonly chain: string;
  readonly head: ChainHead;
  readonly position: number;
}

async function insertTraces(tx: Transaction, rows: readonly NewTrace[]): Promise<void> {
  await insertRows(
    tx,
    "traces (position, trace_id, chain, sequence, mac, at, objective, consumer, outcome, summary, document)",
    rows.map(({ trace, json, chain, head, position }) => [
      position,
      trace.id,
      chain,
      head.count,
      head.mac,
      trace.at,
      trace.objective,
      trace.consumer,
      trace.outcome,
      renderTraceSummary(trace),
      json,
    ]),
  );
  await insertRows(
    tx,
    "trace_providers (provider, position, status, request_digest)",
    rows.flatMap(({ trace, position }) =>
      listSearchedProviders(trace).map(({ provider, status, requestDigest }) => [
        provider,
        position,
        status,
        requestDigest,
      ]),
    ),
  );
  await insertRows(
    tx,
    "trace_layers (layer, position)",
    rows.flatMap(({ trace, position }) => listSearchedLayers(trace).map((layer) => [layer, position])),
  );
}

async function upsertHead(tx: Transaction, name: ChainName, head: ChainHead): Promise<void> {
  await tx.run(
    `INSERT INTO trace_chains (chain, writer, month, key_id, entry_count, mac, signature) VALUES (?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (chain) DO UPDATE SET entry_count = excluded.entry_count, mac = excluded.mac, signature = excluded.signature`,
    toChainKey(name),
    name.writer,
    name.partition,
    name.keyId,
    head.count,
    head.mac,
    head.signature,
  );
}

/** One row a provider: a turn asks each of them for at most one value. */
export function listSearchedProviders(trace: ContextTrace): readonly ContextTrace["providers"][number][] {
  return [...new Map(trace.providers.map((provenance) => [provenance.provider, provenance])).values()];
}

/** The layers that took part. */
export function listSearchedLayers(trace: ContextTrace): readonly string[] {
  return trace.layers.filter(({ state }) => state !== "NOT_REQUESTED").map(({ layer }) => layer);
}
