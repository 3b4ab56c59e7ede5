import type { Transaction } from "@loopx/store";
import { CLOSED_KINDS, IS_CLOSED, type ClosedKind } from "./closed-entities.ts";
import { listEventsOfTheGuard } from "./events-of-the-guard.ts";

export interface RemovableEvent {
  readonly seq: number;
  /** Of its columns, as text. */
  readonly bytes: number;
}

/**
 * The events up to a cutoff that say nothing about the state at the cutoff and after it, in their order.
 *
 * That are images which a later one up to the cutoff replaces, and all of an entity that came to its end by then: its row
 * says the same. What stays besides: decisions of gates and completions of the goal, which views tell of, records of
 * compactions, what the guard asks for, and the event at the cutoff, by which a moment is found.
 */
export async function* listRemovableEvents(
  tx: Transaction,
  goalId: string,
  throughSeq: number,
): AsyncGenerator<RemovableEvent> {
  const guard = await listEventsOfTheGuard(tx, goalId);
  let afterSeq = 0;
  while (afterSeq < throughSeq) {
    const rows = await tx.all<CandidateRow>(CANDIDATES, throughSeq, throughSeq, goalId, throughSeq, afterSeq, PAGE);
    for (const row of rows) {
      const isAsked = guard.seqs.has(row.seq) || row.seq === throughSeq;
      const isOver =
        row.is_replaced === 1 || (isClosedBy(row) && !guard.entities.has(`${row.entity}/${row.entity_id}`));
      if (!isAsked && isOver) yield { seq: row.seq, bytes: row.bytes };
    }
    afterSeq = rows.length < PAGE ? throughSeq : (rows.at(-1)?.seq ?? throughSeq);
  }
}

const PAGE = 5_000;

interface CandidateRow {
  readonly seq: number;
  readonly entity: string;
  readonly entity_id: string;
  readonly bytes: number;
  /** 1 when a later image up to the cutoff is there. */
  readonly is_replaced: number;
  /** 1 when a later image after the cutoff is there. */
  readonly is_changed_later: number;
  /** How many rows of a closed entity of this id there are. */
  readonly closed_count: number;
}

function isClosedBy(row: CandidateRow): boolean {
  return row.closed_count > 0 && row.is_changed_later === 0;
}

const SAME_ENTITY =
  "SELECT 1 FROM events other WHERE other.goal_id = e.goal_id AND other.entity = e.entity AND other.entity_id = e.entity_id";

const TABLES: Readonly<Record<ClosedKind, string>> = { todo: "todos", turn: "turns", evidence: "evidence" };

const CLOSED_COUNTS = CLOSED_KINDS.map(
  (kind) =>
    `WHEN '${kind}' THEN (SELECT COUNT(*) FROM ${TABLES[kind]} closed WHERE closed.goal_id = e.goal_id ` +
    `AND closed.${kind}_id = e.entity_id AND ${IS_CLOSED[kind]})`,
).join(" ");

const BYTES = ["type", "at", "actor", "entity", "entity_id", "image"]
  .map((column) => `OCTET_LENGTH(e.${column})`)
  .join(" + ");

const CANDIDATES =
  `SELECT e.seq, e.entity, e.entity_id, ${BYTES} AS bytes, ` +
  `CASE WHEN EXISTS (${SAME_ENTITY} AND other.seq > e.seq AND other.seq <= ?) THEN 1 ELSE 0 END AS is_replaced, ` +
  `CASE WHEN EXISTS (${SAME_ENTITY} AND other.seq > ?) THEN 1 ELSE 0 END AS is_changed_later, ` +
  `CASE e.entity ${CLOSED_COUNTS} ELSE 0 END AS closed_count ` +
  "FROM events e WHERE e.goal_id = ? AND e.seq <= ? AND e.seq > ? " +
  "AND e.type NOT IN ('gate_decided.v1', 'goal_completed.v1') AND e.entity <> 'compaction' ORDER BY e.seq LIMIT ?";
