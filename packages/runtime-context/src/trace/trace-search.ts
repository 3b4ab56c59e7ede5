import type { Instant } from "@loopx/contracts";
import type { SqlValue, Transaction } from "@loopx/store";
import type { ContextTrace } from "./context-trace.ts";
import { parseCursor, renderCursor, type TraceQuery } from "./trace-query.ts";
import { toTraceSpan } from "./trace-span.ts";
import { fromStoredSummaries, toDamagedTraceError, type TraceSummary } from "./trace-summary.ts";

export interface TracePage {
  /** Latest committed first. */
  readonly traces: readonly TraceSummary[];
  /** Null on the last page. */
  readonly nextCursor: string | null;
}

/** One page of the traces that a query names. Every filter reads an index. */
export async function searchTraces(tx: Transaction, query: TraceQuery): Promise<TracePage> {
  const { requestDigests } = query;
  const rows =
    requestDigests === undefined ? await listFound(tx, query) : await listRequested(tx, query, requestDigests);
  const shown = rows.slice(0, query.limit);
  const last = rows.length > query.limit ? shown.at(-1) : undefined;
  return {
    traces: fromStoredSummaries(shown.map(({ summary }) => summary)),
    nextCursor: last === undefined ? null : renderCursor(last.position),
  };
}

interface FoundTrace {
  readonly position: number;
  readonly summary: string;
}

/** One more than a page, where there are as many. */
function listFound(tx: Transaction, query: TraceQuery, requestDigest?: string): Promise<readonly FoundTrace[]> {
  const { sql, parameters } = toSearchStatement(query, requestDigest);
  return tx.all<FoundTrace & object>(sql, ...parameters);
}

/**
 * The same by the digests of a request. Of the many that it can have one or two were ever sent, and each of these is a search in
 * the order of its index: all at once would be sorted, or looked for among all traces of the provider.
 */
async function listRequested(
  tx: Transaction,
  query: TraceQuery,
  requestDigests: readonly string[],
): Promise<readonly FoundTrace[]> {
  const marks = requestDigests.map(() => "(?)").join(", ");
  const sent = await tx.all<{ readonly digest: string }>(
    `WITH asked(digest) AS (VALUES ${marks}) SELECT digest FROM asked
     WHERE EXISTS (SELECT 1 FROM trace_providers p WHERE p.request_digest = asked.digest)`,
    ...requestDigests,
  );
  const found = new Map<number, FoundTrace>();
  for (const { digest } of sent) {
    for (const row of await listFound(tx, query, digest)) found.set(row.position, row);
  }
  return [...found.values()].toSorted((left, right) => right.position - left.position).slice(0, query.limit + 1);
}

/**
 * A stored trace. Its text was written by `toTraceSafe`; whether it still is that text, `verifyTraces` tells. Refuses with
 * `store_corrupt` what is no trace any more.
 */
export function fromTraceJson(document: string): ContextTrace {
  const trace = parseTraceJson(document);
  if (trace === undefined) throw toDamagedTraceError();
  return trace;
}

/** The same, or undefined for what isn't one: a store may have been damaged. */
export function parseTraceJson(document: string): ContextTrace | undefined {
  try {
    const trace: unknown = JSON.parse(document);
    return isTrace(trace) ? trace : undefined;
  } catch {
    return undefined;
  }
}

/** What readers rely on. A field that says another word than it did is a matter of keys. */
function isTrace(value: unknown): value is ContextTrace {
  const { id, at, objective, consumer, outcome, providers, layers } = toFields(value);
  return (
    [id, at, objective, consumer, outcome].every((field) => typeof field === "string") &&
    isListOf(providers, ["provider", "status"]) &&
    isListOf(layers, ["layer", "state"])
  );
}

function isListOf(value: unknown, fields: readonly string[]): boolean {
  const isWhole = (entry: unknown): boolean => fields.every((field) => typeof toFields(entry)[field] === "string");
  return Array.isArray(value) && value.every(isWhole);
}

function toFields(value: unknown): Readonly<Record<string, unknown>> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each field is looked at
  return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}

interface SearchStatement {
  readonly sql: string;
  readonly parameters: readonly SqlValue[];
}

/**
 * The statement of a query, for one digest of a request where it asks for such. The narrowest side table leads, so that rows come
 * out of its index in the right order.
 */
export function toSearchStatement(query: TraceQuery, requestDigest?: string): SearchStatement {
  const driver = findDriver(query, requestDigest);
  const conditions: string[] = [];
  const parameters: SqlValue[] = [];
  const require = (condition: string, value: SqlValue | undefined): void => {
    if (value === undefined) return;
    conditions.push(condition);
    parameters.push(value);
  };
  require("p.request_digest = ?", requestDigest);
  // Beside a digest, what it is read by must be the index of digests: no other condition may offer one.
  require(requestDigest === undefined ? "p.provider = ?" : "(p.provider = ?) IS TRUE", query.provider);
  require(requestDigest === undefined ? "p.status = ?" : "(p.status = ?) IS TRUE", query.providerStatus);
  if (driver.table === "trace_providers p" && query.provider === undefined) conditions.push(FIRST_OF_STATUS);
  if (driver.table === "trace_layers l") require("l.layer = ?", query.layer);
  else require("EXISTS (SELECT 1 FROM trace_layers l WHERE l.layer = ? AND l.position = t.position)", query.layer);
  require("t.objective = ?", query.objective);
  require("t.consumer = ?", query.consumer);
  require("t.outcome = ?", query.outcome);
  require("t.at >= ?", query.since);
  require("t.at < ?", query.until);
  const bounds = listTimeBounds(query);
  // For both sides of a join: PostgreSQL may walk both by their positions, and would begin at the latest trace of all.
  for (const position of new Set([driver.position, "t.position"])) {
    for (const { name, compares } of bounds) conditions.push(`${position} ${compares} (SELECT ${name} FROM bounds)`);
    require(`${position} < ?`, query.cursor === undefined ? undefined : parseCursor(query.cursor));
  }
  const from = driver.table === "" ? "traces t" : `${driver.table} JOIN traces t ON t.position = ${driver.position}`;
  const where = conditions.length === 0 ? "" : `WHERE ${conditions.join(" AND ")}`;
  return {
    sql: `${renderBounds(bounds)}SELECT t.position AS position, t.summary AS summary FROM ${from} ${where} ORDER BY ${driver.position} DESC LIMIT ?`,
    parameters: [...bounds.flatMap((bound) => bound.parameters), ...parameters, query.limit + 1],
  };
}

interface TimeBound {
  readonly name: "first_position" | "last_position";
  readonly compares: ">=" | "<=";
  /** What it is, as a statement. */
  readonly sql: string;
  readonly parameters: readonly SqlValue[];
}

/** Looked for once, however often a statement asks. */
function renderBounds(bounds: readonly TimeBound[]): string {
  if (bounds.length === 0) return "";
  return `WITH bounds AS MATERIALIZED (SELECT ${bounds.map(({ name, sql }) => `(${sql}) AS ${name}`).join(", ")}) `;
}

/**
 * The span of positions that the span of time has: without it a page would be looked for in every trace. Clocks go wrong, so
 * a later moment may stand before an earlier one. What lies in the same ten minutes is told by its times, the rest by span.
 */
function listTimeBounds({ since, until }: TraceQuery): readonly TimeBound[] {
  return [...(since === undefined ? [] : [toLowerBound(since)]), ...(until === undefined ? [] : [toUpperBound(until)])];
}

// The plus keeps SQLite from walking the positions until one has such a time, instead of the times.

function toLowerBound(since: Instant): TimeBound {
  const span = toTraceSpan(since);
  const near = "SELECT MIN(+position) AS position FROM traces WHERE at >= ? AND at < ?";
  const far = "SELECT MIN(first_position) AS position FROM trace_spans WHERE span > ?";
  return {
    name: "first_position",
    compares: ">=",
    sql: `SELECT MIN(position) FROM (${near} UNION ALL ${far}) bound`,
    parameters: [since, `${span}${AFTER_DIGITS}`, span],
  };
}

function toUpperBound(until: Instant): TimeBound {
  const span = toTraceSpan(until);
  const near = "SELECT MAX(+position) AS position FROM traces WHERE at >= ? AND at < ?";
  const far = "SELECT MAX(last_position) AS position FROM trace_spans WHERE span < ?";
  return {
    name: "last_position",
    compares: "<=",
    sql: `SELECT MAX(position) FROM (${near} UNION ALL ${far}) bound`,
    parameters: [span, until, span],
  };
}

/** Sorts behind whatever goes on in a moment's text. */
const AFTER_DIGITS = "~";

/** A trace in which several providers have the status is one trace. */
const FIRST_OF_STATUS = `NOT EXISTS (SELECT 1 FROM trace_providers q
  WHERE q.status = p.status AND q.position = p.position AND q.provider < p.provider)`;

interface SearchDriver {
  readonly table: "trace_providers p" | "trace_layers l" | "";
  readonly position: string;
}

function findDriver(query: TraceQuery, requestDigest: string | undefined): SearchDriver {
  if (query.provider !== undefined || query.providerStatus !== undefined || requestDigest !== undefined) {
    return { table: "trace_providers p", position: "p.position" };
  }
  return query.layer === undefined
    ? { table: "", position: "t.position" }
    : { table: "trace_layers l", position: "l.position" };
}
