import type { Instant } from "@loopx/contracts";
import type { SqlRow, Transaction } from "@loopx/store";
import type { Actor } from "../agents/agent.ts";
import type { EntityKind, EventType, StoredEvent } from "./event.ts";

const COLUMNS = "goal_id, seq, type, at, actor, entity, entity_id, image";

/** A goal's events, newest first, below `beforeSeq` when given. */
export async function listEvents(
  tx: Transaction,
  goalId: string,
  page: { readonly beforeSeq: number | null; readonly limit: number },
): Promise<readonly StoredEvent[]> {
  const rows = await tx.all(
    `SELECT ${COLUMNS} FROM events WHERE goal_id = ? AND seq < ? ORDER BY seq DESC LIMIT ?`,
    goalId,
    page.beforeSeq ?? Number.MAX_SAFE_INTEGER,
    page.limit,
  );
  return rows.map(decodeEvent);
}

/** The sequence number of the goal's last event, 0 when there is none. */
export async function loadLastSeq(tx: Transaction, goalId: string): Promise<number> {
  const row = await tx.get<{ seq: number | null }>("SELECT MAX(seq) AS seq FROM events WHERE goal_id = ?", goalId);
  return row?.seq ?? 0;
}

/** The last event at or before a moment, 0 when the goal did not exist yet. */
export async function findSeqAt(tx: Transaction, goalId: string, at: Instant): Promise<number> {
  const row = await tx.get<{ seq: number | null }>(
    "SELECT MAX(seq) AS seq FROM events WHERE goal_id = ? AND at <= ?",
    goalId,
    at,
  );
  return row?.seq ?? 0;
}

/** Every entity of a goal as of one event: each is the newest image at or before it. */
export async function loadStateAt(tx: Transaction, goalId: string, seq: number): Promise<readonly StoredEvent[]> {
  const rows = await tx.all(
    `SELECT ${COLUMNS} FROM events e WHERE goal_id = ? AND seq = (` +
      "SELECT MAX(seq) FROM events newer WHERE newer.goal_id = e.goal_id AND newer.entity = e.entity " +
      "AND newer.entity_id = e.entity_id AND newer.seq <= ?) ORDER BY entity, entity_id",
    goalId,
    seq,
  );
  return rows.map(decodeEvent);
}

function decodeEvent(row: SqlRow): StoredEvent {
  return {
    goal_id: String(row["goal_id"]),
    seq: Number(row["seq"]),
    type: String(row["type"]) as EventType,
    at: String(row["at"]) as Instant,
    actor: JSON.parse(String(row["actor"])) as Actor,
    entity: String(row["entity"]) as EntityKind,
    entity_id: String(row["entity_id"]),
    image: JSON.parse(String(row["image"])) as Record<string, unknown>,
  };
}
