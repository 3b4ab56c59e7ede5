import type { Instant } from "@loopx/contracts";
import type { SqlRow } from "@loopx/store";
import type { Actor } from "../agents/agent.ts";
import { decodeRow, toRow, type EntityTable } from "../events/entity-table.ts";
import { ENTITY_TABLES, entityIdOf } from "../events/entity-tables.ts";
import type { EntityKind, StoredEvent } from "../events/event.ts";
import { isSameRow } from "../integrity/find-state-faults.ts";
import { decodeEvent, toImageKey } from "../integrity/newest-images.ts";
import { settleDisputes, type Entity } from "./settle-disputes.ts";
import { toEventType } from "./state-event.ts";

export type RowsByTable = ReadonlyMap<string, readonly SqlRow[]>;

/** What came of a recovery, in rows. */
export interface RecoveryCounts {
  /** Rows that are as they were. */
  readonly carriedRows: number;
  /** Rows that were lost, or contradicted their events, and were made again from the newest image there is of them. */
  readonly rebuiltRows: number;
  /** Rows of which nothing that could stand by itself was left: of a goal that is lost, or against what others say. */
  readonly droppedRows: number;
  readonly carriedEvents: number;
  /** Numbers that were given and whose event is lost. */
  readonly lostEvents: number;
  /** Events that say what a row holds whose own event is lost. */
  readonly addedEvents: number;
}

export interface RebuiltState {
  /** Rows of the tables of entities, and of `events`. What other tables repeat of them is not made here. */
  readonly tables: RowsByTable;
  readonly counts: RecoveryCounts;
}

/**
 * Makes whole state of the rows that could be read of a project's store: each row equals the newest image of its entity, the
 * events of a goal are numbered without gaps, claims and turns go together.
 *
 * Where no event of a goal is lost, an image outweighs its row, and makes the row again where that is lost. Where some are
 * lost, a row that can be read is newer than what is left of its events; an event is added that says so.
 */
export function rebuildState(
  salvaged: RowsByTable,
  by: { readonly actor: Actor; readonly now: Instant; readonly areEventsDamaged: boolean },
): RebuiltState {
  const events = collectEvents(salvaged.get("events") ?? []);
  const lossByGoal = countLost(events);
  const images = new Map(events.map((event) => [toKey(event), event]));
  const rows = collectRows(salvaged);
  const entities = new Map<string, Entity>();
  for (const key of new Set([...rows.keys(), ...images.keys()])) {
    const [row, event] = [rows.get(key), images.get(key)];
    const goalId = event?.goal_id ?? row?.goalId ?? "";
    const mayBeOlder = by.areEventsDamaged || (lossByGoal.get(goalId) ?? 0) > 0;
    const entity = chooseSource(row, event, mayBeOlder);
    if (entity !== undefined) entities.set(key, entity);
  }
  const settled = settleDisputes(entities);
  const isKept = (event: StoredEvent): boolean => settled.entities.has(toKey(event));
  const renumbered = renumber(events.filter(isKept));
  const added = [...settled.entities].filter(([, entity]) => entity.needsEvent);
  return {
    tables: toTables(settled.entities, addEvents(renumbered, added, by)),
    counts: {
      carriedRows: [...settled.entities.values()].filter(({ origin }) => origin === "row").length,
      rebuiltRows: [...settled.entities.values()].filter(({ origin }) => origin === "image").length,
      droppedRows: settled.droppedCount,
      carriedEvents: renumbered.length,
      lostEvents: [...lossByGoal.values()].reduce((sum, lost) => sum + lost, 0),
      addedEvents: added.length,
    },
  };
}

function toKey({ entity, goal_id, entity_id }: Pick<StoredEvent, "entity" | "goal_id" | "entity_id">): string {
  return toImageKey(entity, goal_id, entity_id);
}

/** By goal and number; of two with one number the first, which a page of the table itself has. */
function collectEvents(rows: readonly SqlRow[]): readonly StoredEvent[] {
  const events = new Map<string, StoredEvent>();
  for (const row of rows) {
    const event = decodeEvent(row);
    const key = event && `${event.goal_id}\n${event.seq}`;
    if (event !== undefined && key !== undefined && !events.has(key)) events.set(key, event);
  }
  return [...events.values()].toSorted((left, right) =>
    left.goal_id === right.goal_id ? left.seq - right.seq : left.goal_id < right.goal_id ? -1 : 1,
  );
}

function countLost(events: readonly StoredEvent[]): ReadonlyMap<string, number> {
  const lost = new Map<string, number>();
  const last = new Map<string, number>();
  for (const { goal_id: goalId, seq } of events) {
    lost.set(goalId, (lost.get(goalId) ?? 0) + seq - (last.get(goalId) ?? 0) - 1);
    last.set(goalId, seq);
  }
  return lost;
}

interface FoundRow {
  readonly kind: EntityKind;
  readonly goalId: string;
  readonly row: SqlRow;
}

function collectRows(salvaged: RowsByTable): ReadonlyMap<string, FoundRow> {
  const found = new Map<string, FoundRow>();
  for (const [name, table] of Object.entries(ENTITY_TABLES)) {
    const kind = name as EntityKind;
    for (const row of salvaged.get(table.name) ?? []) {
      const goalId = String(row["goal_id"]);
      const key = toImageKey(kind, goalId, entityIdOf(kind, row));
      if (!found.has(key)) found.set(key, { kind, goalId, row });
    }
  }
  return found;
}

/** Undefined for a row that no event names though none is lost: what names it is damaged in the row itself. */
function chooseSource(
  row: FoundRow | undefined,
  event: StoredEvent | undefined,
  mayBeOlder: boolean,
): Entity | undefined {
  const kind = event?.entity ?? row?.kind ?? "goal";
  const table = ENTITY_TABLES[kind] as EntityTable<Record<string, unknown>>;
  const image = event && toRow(table, event.image);
  if (row !== undefined && image !== undefined && isSameRow(row.row, image, table.json)) {
    return { kind, value: decodeRow(table, row.row), origin: "row", needsEvent: false };
  }
  if (row !== undefined && mayBeOlder) {
    return { kind, value: decodeRow(table, row.row), origin: "row", needsEvent: true };
  }
  return image && { kind, value: decodeRow(table, image), origin: "image", needsEvent: false };
}

function renumber(events: readonly StoredEvent[]): readonly StoredEvent[] {
  const last = new Map<string, number>();
  return events.map((event) => {
    const seq = (last.get(event.goal_id) ?? 0) + 1;
    last.set(event.goal_id, seq);
    return { ...event, seq };
  });
}

function addEvents(
  events: readonly StoredEvent[],
  added: readonly (readonly [string, Entity])[],
  { actor, now }: { readonly actor: Actor; readonly now: Instant },
): readonly StoredEvent[] {
  const last = new Map(events.map((event) => [event.goal_id, event.seq]));
  const known = new Set(events.map(toKey));
  const more = added.map(([key, { kind, value }]): StoredEvent => {
    const goalId = String(value["goal_id"]);
    const seq = (last.get(goalId) ?? 0) + 1;
    last.set(goalId, seq);
    const type = toEventType(kind, value, known.has(key));
    return {
      goal_id: goalId,
      seq,
      type,
      at: now,
      actor,
      entity: kind,
      entity_id: entityIdOf(kind, value),
      image: value,
    };
  });
  return [...events, ...more];
}

function toTables(entities: ReadonlyMap<string, Entity>, events: readonly StoredEvent[]): RowsByTable {
  const tables = new Map<string, SqlRow[]>(Object.values(ENTITY_TABLES).map(({ name }) => [name, []]));
  for (const { kind, value } of entities.values()) {
    const table = ENTITY_TABLES[kind] as EntityTable<Record<string, unknown>>;
    tables.get(table.name)?.push(toRow(table, value));
  }
  return tables.set(
    "events",
    events.map((event) => ({ ...event, actor: JSON.stringify(event.actor), image: JSON.stringify(event.image) })),
  );
}
