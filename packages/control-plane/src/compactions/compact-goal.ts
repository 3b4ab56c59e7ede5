import type { Ambient, Instant, Refusal } from "@loopx/contracts";
import type { Database, SqlRow, Transaction } from "@loopx/store";
import { checkOwner } from "../agents/check-actor.ts";
import type { Actor } from "../agents/agent.ts";
import { commitChanges } from "../events/commit-changes.ts";
import { loadGoal } from "../goals/load-goal.ts";
import { findLastCompaction } from "./compaction-rows.ts";
import type { Compaction } from "./compaction.ts";
import { loadTimeOf, planCompaction, type CompactionPolicy } from "./plan-compaction.ts";
import { listRemovableEvents, type RemovableEvent } from "./removable-events.ts";

/** First line of an archive. The rest is one event a line, as an export has it, then a last line that counts them. */
const ARCHIVE_SCHEMA = "loopx_archive_v1";

/** Events that are about to be removed. */
export interface ArchivedEvents {
  readonly goalId: string;
  readonly compactionId: string;
  readonly fromSeq: number;
  readonly throughSeq: number;
  readonly lines: readonly string[];
}

/** Where removed events are kept. What it gives back is durable: the events are removed after it. */
export type EventArchive = (events: ArchivedEvents) => Promise<{ readonly name: string; readonly digest: string }>;

export interface CompactGoalRequest {
  readonly goalId: string;
  readonly actor: Actor;
  readonly policy: CompactionPolicy;
  /** Null removes the events for good. */
  readonly archive: EventArchive | null;
  /** Events looked at in one transaction, and removed with it: others wait for no more than that. */
  readonly eventsPerStep?: number;
}

export interface CompactedGoal {
  readonly ok: true;
  /** One for each step that removed something. */
  readonly compactions: readonly Compaction[];
}

const EVENTS_PER_STEP = 10_000;

/**
 * Archives and removes the events of a goal that a policy lets go. The state as of the cutoff and of every event after it
 * stays what it was, and each removal is an event of the goal's history.
 *
 * In steps of one transaction each: an interruption leaves whole steps, and the same call goes on from there; an archive
 * whose step was not committed then stays without one. Owners only. Refuses with `unknown_goal`, `gate_needs_owner`.
 */
export async function compactGoal(
  database: Database,
  request: CompactGoalRequest,
  ambient: Pick<Ambient, "now" | "newId">,
): Promise<CompactedGoal | Refusal> {
  const refused = checkOwner(request.actor, "compact the events of a goal");
  if (refused !== undefined) return refused;
  const now = ambient.now();
  const planned = await database.read(async (tx) => {
    const goal = await loadGoal(tx, request.goalId);
    return goal.ok ? { ok: true as const, plan: await planCompaction(tx, request, now) } : goal;
  });
  if (!planned.ok) return planned;
  const { plan } = planned;
  const compactions: Compaction[] = [];
  if (plan === undefined) return { ok: true, compactions };
  const perStep = request.eventsPerStep ?? EVENTS_PER_STEP;
  for (let seq = plan.sinceSeq; seq < plan.throughSeq; seq += perStep) {
    const throughSeq = Math.min(seq + perStep, plan.throughSeq);
    const step = { request, throughSeq, now, compactionId: ambient.newId("compaction") };
    const compaction = await database.write((tx) => compactThrough(tx, step));
    if (compaction !== undefined) compactions.push(compaction);
  }
  return { ok: true, compactions };
}

interface Step {
  readonly request: CompactGoalRequest;
  readonly throughSeq: number;
  readonly now: Instant;
  readonly compactionId: string;
}

/** Undefined where nothing is to be removed, or another process compacted as far meanwhile. */
async function compactThrough(tx: Transaction, step: Step): Promise<Compaction | undefined> {
  const { request, throughSeq, now, compactionId } = step;
  const { goalId, policy } = request;
  if (((await findLastCompaction(tx, goalId))?.through_seq ?? 0) >= throughSeq) return undefined;
  const removed: RemovableEvent[] = [];
  for await (const event of listRemovableEvents(tx, goalId, throughSeq)) removed.push(event);
  const [first] = removed;
  if (first === undefined) return undefined;
  const span = { goalId, compactionId, fromSeq: first.seq, throughSeq };
  const archived = await request.archive?.({ ...span, lines: await loadArchiveLines(tx, { span, removed, now }) });
  for (const { sql, parameters } of toStatements("DELETE FROM events", goalId, removed))
    await tx.run(sql, ...parameters);
  const compaction: Compaction = {
    goal_id: goalId,
    compaction_id: compactionId,
    from_seq: first.seq,
    through_seq: throughSeq,
    through_at: await loadTimeOf(tx, goalId, throughSeq),
    removed_count: removed.length,
    removed_bytes: removed.reduce((sum, { bytes }) => sum + bytes, 0),
    older_than_ms: policy.olderThanMs,
    keep_events: policy.keepEvents,
    archive: archived?.name ?? null,
    archive_digest: archived?.digest ?? null,
    compacted_at: now,
  };
  const context = { goalId, actor: request.actor, now };
  await commitChanges(tx, context, [{ type: "events_compacted.v1", image: compaction }]);
  return compaction;
}

interface ArchiveContent {
  readonly span: Omit<ArchivedEvents, "lines">;
  readonly removed: readonly RemovableEvent[];
  readonly now: Instant;
}

async function loadArchiveLines(tx: Transaction, { span, removed, now }: ArchiveContent): Promise<readonly string[]> {
  const head = {
    schema_version: ARCHIVE_SCHEMA,
    goal_id: span.goalId,
    compaction_id: span.compactionId,
    from_seq: span.fromSeq,
    through_seq: span.throughSeq,
    archived_at: now,
  };
  const lines = [JSON.stringify(head)];
  for (const { sql, parameters } of toStatements("SELECT * FROM events", span.goalId, removed)) {
    const rows: readonly SqlRow[] = await tx.all(`${sql} ORDER BY seq`, ...parameters);
    lines.push(...rows.map((row) => JSON.stringify({ table: "events", row })));
  }
  lines.push(JSON.stringify({ end: true, rows: removed.length }));
  return lines;
}

const SEQS_AT_ONCE = 500;

interface SeqStatement {
  readonly sql: string;
  readonly parameters: readonly (string | number)[];
}

function toStatements(verb: string, goalId: string, events: readonly RemovableEvent[]): readonly SeqStatement[] {
  const statements: SeqStatement[] = [];
  for (let at = 0; at < events.length; at += SEQS_AT_ONCE) {
    const seqs = events.slice(at, at + SEQS_AT_ONCE).map(({ seq }) => seq);
    const marks = seqs.map(() => "?").join(", ");
    statements.push({ sql: `${verb} WHERE goal_id = ? AND seq IN (${marks})`, parameters: [goalId, ...seqs] });
  }
  return statements;
}
