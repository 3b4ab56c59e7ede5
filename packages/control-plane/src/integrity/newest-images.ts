import { isLoopxError } from "@loopx/contracts";
import type { SqlRow, Transaction } from "@loopx/store";
import { decodeRow, toRow, type EntityTable } from "../events/entity-table.ts";
import { ENTITY_TABLES, entityIdOf } from "../events/entity-tables.ts";
import { EVENT_TYPES, type StoredEvent } from "../events/event.ts";
import { EVENTS } from "../events/history.ts";
import type { FaultCount } from "./state-fault.ts";

const PAGE = 500;

/** The last image of each entity by `toImageKey`, as the row it says there is. */
export type NewestImages = ReadonlyMap<string, SqlRow>;

export function toImageKey(entity: string, goalId: unknown, entityId: string): string {
  return `${entity}\n${String(goalId)}\n${entityId}`;
}

/** Up to which event number each goal was compacted: below it some are gone, and the one at it is there. */
export async function loadCutoffs(tx: Transaction): Promise<ReadonlyMap<string, number>> {
  const rows = await tx.all<{ readonly goal_id: string; readonly seq: number }>(
    "SELECT goal_id, MAX(through_seq) AS seq FROM event_compactions GROUP BY goal_id",
  );
  return new Map(rows.map(({ goal_id: goalId, seq }) => [goalId, seq]));
}

/**
 * Walks every event: the numbers of a goal are 1, 2, 3 …, but where it was compacted, and each image is a row of the entity that
 * the event names.
 */
export async function loadNewestImages(
  tx: Transaction,
  faults: FaultCount,
  cutoffs: ReadonlyMap<string, number>,
): Promise<NewestImages> {
  const newest = new Map<string, SqlRow>();
  const due = new Map<string, number>();
  for await (const row of readEvents(tx)) {
    const goalId = String(row["goal_id"]);
    const expected = due.get(goalId) ?? 1;
    const seq = Number(row["seq"]);
    if (seq !== expected && seq > (cutoffs.get(goalId) ?? 0)) faults.add("events", "event numbers with a gap");
    due.set(goalId, seq + 1);
    const event = decodeEvent(row);
    if (event === undefined) faults.add("events", "events that LoopX never writes");
    else newest.set(toImageKey(event.entity, event.goal_id, event.entity_id), toRow(tableOf(event), event.image));
  }
  return newest;
}

/** Undefined for an event that no write of ours has left. */
export function decodeEvent(row: SqlRow): StoredEvent | undefined {
  try {
    const event = decodeRow(EVENTS, row);
    const table = tableOf(event);
    decodeRow(table, toRow(table, event.image));
    const isOwn = event.image["goal_id"] === event.goal_id && entityIdOf(event.entity, event.image) === event.entity_id;
    return isOwn && EVENT_TYPES[event.type].entity === event.entity ? event : undefined;
  } catch (error) {
    if (isLoopxError(error)) return undefined;
    throw error;
  }
}

function tableOf(event: StoredEvent): EntityTable<StoredEvent["image"]> {
  return ENTITY_TABLES[event.entity];
}

async function* readEvents(tx: Transaction): AsyncGenerator<SqlRow> {
  const columns = Object.keys(EVENTS.columns).join(", ");
  let rows = await tx.all(`SELECT ${columns} FROM events ORDER BY goal_id, seq LIMIT ?`, PAGE);
  for (;;) {
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE) return;
    const after = `SELECT ${columns} FROM events WHERE (goal_id, seq) > (?, ?) ORDER BY goal_id, seq LIMIT ?`;
    rows = await tx.all(after, last["goal_id"] ?? null, last["seq"] ?? null, PAGE);
  }
}
