import { fromRefusal } from "@loopx/contracts";
import type { SqlRow, Transaction } from "@loopx/store";
import { checkAnswerable } from "../compactions/check-answerable.ts";
import { CLOSED_KINDS, IS_CLOSED, type ClosedKind } from "../compactions/closed-entities.ts";
import { findLastCompaction } from "../compactions/compaction-rows.ts";
import { TODOS } from "../todos/todo-rows.ts";
import { EVIDENCE, TURNS } from "../turns/turn-rows.ts";
import { decodeRow, selectFrom, type EntityTable } from "./entity-table.ts";
import type { EntityKind } from "./event.ts";
import { EVENTS } from "./history.ts";

/** An entity as it was after one event. */
export interface EntityAt {
  readonly entity: EntityKind;
  readonly entity_id: string;
  /** The event it comes from; the cutoff where its events were compacted. */
  readonly seq: number;
  readonly image: Readonly<Record<string, unknown>>;
}

/**
 * One page of a goal's entities of one kind as of one event, by id.
 *
 * Throws `history_compacted` for a point before the goal's cutoff.
 */
export async function listEntitiesAt(
  tx: Transaction,
  goalId: string,
  at: {
    readonly seq: number;
    readonly entity: EntityKind;
    readonly afterId: string;
    readonly limit: number;
  },
): Promise<readonly EntityAt[]> {
  const cutoff = await loadCutoff(tx, goalId, at.seq);
  const rows = await tx.all(
    `${selectFrom(EVENTS)} e WHERE goal_id = ? AND entity = ? AND entity_id > ? AND ${IS_NEWEST} ORDER BY entity_id LIMIT ?`,
    goalId,
    at.entity,
    at.afterId,
    at.seq,
    at.limit,
  );
  const imaged = rows.map((row) => decodeRow(EVENTS, row));
  const kind = CLOSED_KINDS.find((each) => each === at.entity);
  if (cutoff === undefined || kind === undefined) return imaged;
  const closed = await listWithoutEvents(tx, goalId, { ...at, kind, cutoff });
  return [...imaged, ...closed].toSorted(byId).slice(0, at.limit);
}

/**
 * Every entity of a goal as of one event: each is the newest image at or before it.
 *
 * Throws `history_compacted` for a point before the goal's cutoff.
 */
export async function loadStateAt(tx: Transaction, goalId: string, seq: number): Promise<readonly EntityAt[]> {
  const cutoff = await loadCutoff(tx, goalId, seq);
  const rows = await tx.all(
    `${selectFrom(EVENTS)} e WHERE goal_id = ? AND ${IS_NEWEST} ORDER BY entity, entity_id`,
    goalId,
    seq,
  );
  const state: EntityAt[] = rows.map((row) => decodeRow(EVENTS, row));
  if (cutoff === undefined) return state;
  for (const kind of CLOSED_KINDS) {
    state.push(...(await listWithoutEvents(tx, goalId, { kind, cutoff, afterId: "", limit: Number.MAX_SAFE_INTEGER })));
  }
  return state.toSorted((left, right) => compare(left.entity, right.entity) || byId(left, right));
}

/** One parameter: the event. */
const IS_NEWEST =
  "seq = (SELECT MAX(seq) FROM events newer WHERE newer.goal_id = e.goal_id AND newer.entity = e.entity " +
  "AND newer.entity_id = e.entity_id AND newer.seq <= ?)";

async function loadCutoff(tx: Transaction, goalId: string, seq: number): Promise<number | undefined> {
  const refused = await checkAnswerable(tx, goalId, seq);
  if (refused !== undefined) throw fromRefusal(refused);
  return (await findLastCompaction(tx, goalId))?.through_seq;
}

const TABLES: Readonly<Record<ClosedKind, EntityTable<never>>> = { todo: TODOS, turn: TURNS, evidence: EVIDENCE };

/** Entities that no command changes any more and whose events were compacted: they are as their rows say. */
async function listWithoutEvents(
  tx: Transaction,
  goalId: string,
  of: { readonly kind: ClosedKind; readonly cutoff: number; readonly afterId: string; readonly limit: number },
): Promise<readonly EntityAt[]> {
  const { kind, cutoff } = of;
  const table: EntityTable<never> = TABLES[kind];
  const idColumn = `${kind}_id`;
  const rows: readonly SqlRow[] = await tx.all(
    `${selectFrom(table)} closed WHERE goal_id = ? AND ${idColumn} > ? AND ${IS_CLOSED[kind]} AND NOT EXISTS (` +
      `SELECT 1 FROM events e WHERE e.goal_id = closed.goal_id AND e.entity = '${kind}' AND e.entity_id = closed.${idColumn}) ` +
      `ORDER BY ${idColumn} LIMIT ?`,
    goalId,
    of.afterId,
    of.limit,
  );
  return rows.map((row) => ({
    entity: kind,
    entity_id: String(row[idColumn]),
    seq: cutoff,
    image: decodeRow<object>(table as unknown as EntityTable<object>, row) as EntityAt["image"],
  }));
}

function byId(left: EntityAt, right: EntityAt): number {
  return compare(left.entity_id, right.entity_id);
}

function compare(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
