import { toCanonicalJson } from "@loopx/contracts";
import type { Transaction } from "@loopx/store";
import type { ContextTrace } from "./context-trace.ts";
import type { ChainEntry } from "./trace-chain.ts";
import { listSearchedLayers, listSearchedProviders } from "./trace-rows.ts";
import { parseTraceJson } from "./trace-search.ts";
import { toTraceSpan } from "./trace-span.ts";
import { renderTraceSummary } from "./trace-summary.ts";

/** A trace with the columns that search reads. */
export interface StoredEntry
  extends ChainEntry, Pick<ContextTrace, "id" | "at" | "objective" | "consumer" | "outcome"> {
  readonly position: number;
  readonly summary: string;
}

export type MisindexProblem = "INDEX_ALTERED" | "CONTENT_MISSING";

export interface MisindexedEntry {
  readonly sequence: number;
  readonly problem: MisindexProblem;
}

/**
 * The first of some traces that follow one another in a chain of which search is told something else than it says, or whose content
 * is gone without a word of its end.
 */
export async function findMisindexed(
  tx: Transaction,
  chain: string,
  rows: readonly StoredEntry[],
): Promise<MisindexedEntry | undefined> {
  const [first, last] = [rows[0], rows.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const side = await loadSideRows(tx, [chain, first.sequence, last.sequence]);
  for (const row of rows) {
    const trace = parseTraceJson(row.json);
    // What isn't even JSON fails at the chain.
    if (trace === undefined) continue;
    const problem = findProblem(row, trace, side);
    if (problem !== null) return { sequence: row.sequence, problem };
  }
  return undefined;
}

/** What stands beside the traces of a stretch, by position or by id. */
interface SideRows {
  readonly providers: ReadonlyMap<unknown, readonly object[]>;
  readonly layers: ReadonlyMap<unknown, readonly object[]>;
  readonly contents: ReadonlyMap<unknown, readonly object[]>;
  readonly spans: ReadonlyMap<unknown, readonly object[]>;
}

type Stretch = readonly [chain: string, from: number, to: number];

async function loadSideRows(tx: Transaction, stretch: Stretch): Promise<SideRows> {
  const providers = await tx.all(
    `SELECT position AS place, provider, status, request_digest AS "requestDigest" FROM trace_providers
     WHERE position IN ${ofStretch("position")}`,
    ...stretch,
  );
  const layers = await tx.all(
    `SELECT position AS place, layer FROM trace_layers WHERE position IN ${ofStretch("position")}`,
    ...stretch,
  );
  const contents = await tx.all(
    `SELECT trace_id AS place, provider FROM retained_contents WHERE trace_id IN ${ofStretch("trace_id")}`,
    ...stretch,
  );
  const spans = await tx.all(
    `SELECT span AS place, first_position AS "first", last_position AS "last" FROM trace_spans
     WHERE span IN ${ofStretch("substr(at, 1, 15)")}`,
    ...stretch,
  );
  return {
    providers: groupByPlace(providers),
    layers: groupByPlace(layers),
    contents: groupByPlace(contents),
    spans: groupByPlace(spans),
  };
}

/** A column of the traces of a stretch, as a list in a statement. */
function ofStretch(column: string): string {
  return `(SELECT ${column} FROM traces WHERE chain = ? AND sequence >= ? AND sequence <= ?)`;
}

function groupByPlace(rows: readonly object[]): ReadonlyMap<unknown, readonly object[]> {
  const groups = new Map<unknown, object[]>();
  for (const row of rows) {
    const { place, ...rest } = row as { readonly place: unknown };
    const group = groups.get(place);
    if (group === undefined) groups.set(place, [rest]);
    else group.push(rest);
  }
  return groups;
}

function findProblem(row: StoredEntry, trace: ContextTrace, side: SideRows): MisindexProblem | null {
  if (!isIndexedAsWritten(row, trace, side)) return "INDEX_ALTERED";
  const kept = trace.providers.filter(({ contentRetained }) => contentRetained).map(({ provider }) => provider);
  // A content that was purged has its row still.
  const there = (side.contents.get(trace.id) ?? []).map((content) => toCanonicalJson(content));
  return kept.every((provider) => there.includes(toCanonicalJson({ provider }))) ? null : "CONTENT_MISSING";
}

function isIndexedAsWritten(row: StoredEntry, trace: ContextTrace, side: SideRows): boolean {
  const { id, at, objective, consumer, outcome } = trace;
  const stored = [row.id, row.at, row.objective, row.consumer, row.outcome, row.summary];
  const providers = listSearchedProviders(trace).map(({ provider, status, requestDigest }) => ({
    provider,
    status,
    requestDigest,
  }));
  const layers = listSearchedLayers(trace).map((layer) => ({ layer }));
  return (
    isInSpan(row, side) &&
    toCanonicalJson(stored) === toCanonicalJson([id, at, objective, consumer, outcome, renderTraceSummary(trace)]) &&
    hasSameRows(side.providers.get(row.position) ?? [], providers) &&
    hasSameRows(side.layers.get(row.position) ?? [], layers)
  );
}

function isInSpan({ at, position }: StoredEntry, { spans }: SideRows): boolean {
  return (spans.get(toTraceSpan(at)) ?? []).some((span) => {
    const { first, last } = span as { readonly first: number; readonly last: number };
    return first <= position && position <= last;
  });
}

/** Side rows have no order of their own. */
function hasSameRows(left: readonly unknown[], right: readonly unknown[]): boolean {
  const [leftTexts, rightTexts] = [left, right].map((rows) => rows.map(toCanonicalJson).toSorted());
  return toCanonicalJson(leftTexts) === toCanonicalJson(rightTexts);
}
