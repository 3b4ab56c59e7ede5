import type { Transaction } from "@loopx/store";
import { anyOf, anyText, instant, integer, oneOf, shape } from "./column-rule.ts";
import { decodeRow, selectFrom, type EntityTable } from "./entity-table.ts";
import { EVENT_TYPES, type StoredEvent } from "./event.ts";

const IS_ACTOR = anyOf(
  shape({ kind: oneOf(["agent"]), agent_id: anyText }),
  shape({ kind: oneOf(["owner"]), via: oneOf(["terminal", "token", "workstation"]), token_id: anyText }, ["token_id"]),
  shape({ kind: oneOf(["process"]), host: anyText }, ["host"]),
);

/** Read like the row of an entity, though nothing is written as one. */
export const EVENTS: EntityTable<StoredEvent> = {
  name: "events",
  key: ["goal_id", "seq"],
  columns: {
    goal_id: anyText,
    seq: integer(1),
    type: oneOf(Object.keys(EVENT_TYPES)),
    at: instant,
    actor: IS_ACTOR,
    entity: oneOf(Object.values(EVENT_TYPES).map(({ entity }) => entity)),
    entity_id: anyText,
    image: (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  },
  json: ["actor", "image"],
  flags: [],
};

/** A goal's events, newest first, below `beforeSeq` when given. */
export async function listEvents(
  tx: Transaction,
  goalId: string,
  page: { readonly beforeSeq: number | null; readonly limit: number },
): Promise<readonly StoredEvent[]> {
  const rows = await tx.all(
    `${selectFrom(EVENTS)} WHERE goal_id = ? AND seq < ? ORDER BY seq DESC LIMIT ?`,
    goalId,
    page.beforeSeq ?? Number.MAX_SAFE_INTEGER,
    page.limit,
  );
  return rows.map((row) => decodeRow(EVENTS, row));
}

/** The latest events of one entity, newest first. */
export async function listEventsOfEntity(
  tx: Transaction,
  of: { readonly goalId: string; readonly entity: StoredEvent["entity"]; readonly entityId: string },
  limit: number,
): Promise<readonly StoredEvent[]> {
  const rows = await tx.all(
    `${selectFrom(EVENTS)} WHERE goal_id = ? AND entity = ? AND entity_id = ? ORDER BY seq DESC LIMIT ?`,
    of.goalId,
    of.entity,
    of.entityId,
    limit,
  );
  return rows.map((row) => decodeRow(EVENTS, row));
}

/** The newest event of one entity; undefined where it never was. */
export async function findLatestEvent(
  tx: Transaction,
  of: { readonly goalId: string; readonly entity: StoredEvent["entity"]; readonly entityId: string },
): Promise<StoredEvent | undefined> {
  const [latest] = await listEventsOfEntity(tx, of, 1);
  return latest;
}

/** One page of a goal's entities of one kind as of one event, by id. */
export async function listEntitiesAt(
  tx: Transaction,
  goalId: string,
  at: {
    readonly seq: number;
    readonly entity: StoredEvent["entity"];
    readonly afterId: string;
    readonly limit: number;
  },
): Promise<readonly StoredEvent[]> {
  const rows = await tx.all(
    `${selectFrom(EVENTS)} e WHERE goal_id = ? AND entity = ? AND entity_id > ? AND seq = (` +
      "SELECT MAX(seq) FROM events newer WHERE newer.goal_id = e.goal_id AND newer.entity = e.entity " +
      "AND newer.entity_id = e.entity_id AND newer.seq <= ?) ORDER BY entity_id LIMIT ?",
    goalId,
    at.entity,
    at.afterId,
    at.seq,
    at.limit,
  );
  return rows.map((row) => decodeRow(EVENTS, row));
}

/** Every entity of a goal as of one event: each is the newest image at or before it. */
export async function loadStateAt(tx: Transaction, goalId: string, seq: number): Promise<readonly StoredEvent[]> {
  const rows = await tx.all(
    `${selectFrom(EVENTS)} e WHERE goal_id = ? AND seq = (` +
      "SELECT MAX(seq) FROM events newer WHERE newer.goal_id = e.goal_id AND newer.entity = e.entity " +
      "AND newer.entity_id = e.entity_id AND newer.seq <= ?) ORDER BY entity, entity_id",
    goalId,
    seq,
  );
  return rows.map((row) => decodeRow(EVENTS, row));
}
