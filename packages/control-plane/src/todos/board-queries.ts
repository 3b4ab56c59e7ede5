import { addMs, LIMITS, type Instant } from "@loopx/contracts";
import type { SqlValue, Transaction } from "@loopx/store";
import { decodeRow, selectFrom } from "../events/entity-table.ts";
import type { Page } from "./todo-queries.ts";
import { TODOS } from "./todo-rows.ts";
import type { Todo } from "./todo.ts";

/** Where a todo stands on a goal's board: each is in exactly one column, or archived and in none. */
export const BOARD_COLUMNS = ["yours", "claimed", "open", "blocked", "deferred", "done", "superseded"] as const;
export type BoardColumn = (typeof BOARD_COLUMNS)[number];

/** Tells the column of a row, as `hasLiveClaim` tells a claim that lasts; takes `toLeaseBounds` as its parameters. */
const COLUMN_OF =
  "CASE WHEN status <> 'open' THEN status WHEN role = 'user' THEN 'yours' " +
  "WHEN claimed_by IS NOT NULL AND claim_expires_at > ? AND claim_expires_at <= ? THEN 'claimed' ELSE 'open' END";

function toLeaseBounds(now: Instant): readonly [Instant, Instant] {
  return [now, addMs(now, LIMITS.leaseMaxMs)];
}

/** How many todos of a goal are in each column; archived ones are left out. */
export async function countBoard(
  tx: Transaction,
  goalId: string,
  now: Instant,
): Promise<Readonly<Record<BoardColumn, number>>> {
  const rows = await tx.all<{ column_name: BoardColumn; count: number }>(
    `SELECT ${COLUMN_OF} AS column_name, COUNT(*) AS count FROM todos ` +
      "WHERE goal_id = ? AND archived_at IS NULL GROUP BY 1",
    ...toLeaseBounds(now),
    goalId,
  );
  const counts = { yours: 0, claimed: 0, open: 0, blocked: 0, deferred: 0, done: 0, superseded: 0 };
  for (const { column_name: column, count } of rows) counts[column] = count;
  return counts;
}

/** Where a page of a column begins: behind this place of its order. */
export interface BoardCursor {
  readonly priority: number;
  readonly position: number;
}

/** One page of a column by priority, then written order; what is finished, latest first written. */
export async function listBoardColumn(
  tx: Transaction,
  query: {
    readonly goalId: string;
    readonly column: BoardColumn;
    readonly limit: number;
    readonly cursor: BoardCursor | null;
  },
  now: Instant,
): Promise<Omit<Page<Todo>, "total">> {
  const { goalId, column, limit, cursor } = query;
  const isFinished = column === "done" || column === "superseded";
  const status = column === "yours" || column === "claimed" ? "open" : column;
  const where = ["goal_id = ?", "archived_at IS NULL", "status = ?", `${COLUMN_OF} = ?`];
  const parameters: SqlValue[] = [goalId, status, ...toLeaseBounds(now), column];
  if (cursor !== null && isFinished) {
    where.push("position < ?");
    parameters.push(cursor.position);
  } else if (cursor !== null) {
    where.push("(priority > ? OR (priority = ? AND position > ?))");
    parameters.push(cursor.priority, cursor.priority, cursor.position);
  }
  const order = isFinished ? "position DESC" : "priority, position";
  const rows = await tx.all(
    `${selectFrom(TODOS)} WHERE ${where.join(" AND ")} ORDER BY ${order} LIMIT ?`,
    ...parameters,
    limit + 1,
  );
  const items = rows.slice(0, limit).map((row) => decodeRow(TODOS, row));
  const last = items.at(-1);
  const hasMore = rows.length > limit && last !== undefined;
  return { items, nextCursor: hasMore ? `${last.priority}.${last.position}` : null };
}

/** The cursor of an earlier page, or undefined when the text is none. */
export function parseBoardCursor(text: string): BoardCursor | undefined {
  const match = /^([0-4])\.(\d{1,15})$/.exec(text);
  return match === null ? undefined : { priority: Number(match[1]), position: Number(match[2]) };
}
