import type { GoalAt, TodoAt } from "@loopx/workstation/contract";
import {
  checkAnswerable,
  findLastCompaction,
  findSeqAt,
  listEntitiesAt,
  listEvents,
  loadLastSeq,
  type EntityAt,
} from "@loopx/control-plane";
import { fromRefusal, type Instant } from "@loopx/contracts";
import type { Transaction } from "@loopx/store";

/** Todos of a page of a goal as it was. */
const ROWS = 100;

/** What a point in time is named by: an event, or a moment. */
export type Point = { readonly seq: number } | { readonly at: Instant };

/**
 * A goal as it was after one event; undefined where the goal was not yet. A later event than the last is the last.
 *
 * Throws `history_compacted`.
 */
export async function loadGoalAt(
  tx: Transaction,
  goalId: string,
  query: { readonly point: Point; readonly afterId: string },
): Promise<GoalAt | undefined> {
  const lastSeq = await loadLastSeq(tx, goalId);
  const { point, afterId } = query;
  const seq = Math.min(lastSeq, "seq" in point ? point.seq : await findSeqAt(tx, goalId, point.at));
  const refused = await checkAnswerable(tx, goalId, seq);
  if (refused !== undefined) throw fromRefusal(refused);
  const [event] = await listEvents(tx, goalId, { beforeSeq: seq + 1, limit: 1 });
  if (event === undefined) return undefined;
  const [goal] = await listEntitiesAt(tx, goalId, { seq, entity: "goal", afterId: "", limit: 1 });
  const todos = await listEntitiesAt(tx, goalId, { seq, entity: "todo", afterId, limit: ROWS + 1 });
  const rows = todos.slice(0, ROWS);
  return {
    seq,
    at: event.at,
    first_seq: (await findLastCompaction(tx, goalId))?.through_seq ?? 1,
    last_seq: lastSeq,
    objective: readText(goal?.image ?? {}, "objective"),
    status: readText(goal?.image ?? {}, "status"),
    revision: typeof goal?.image["revision"] === "number" ? goal.image["revision"] : null,
    todos: { rows: rows.map(toTodoAt), next_cursor: todos.length > ROWS ? (rows.at(-1)?.entity_id ?? null) : null },
  };
}

/** Images are of any version there was, so each field is taken only as what it should be. */
function toTodoAt({ seq, entity_id: todoId, image }: EntityAt): TodoAt {
  const { priority, gate } = image;
  return {
    todo_id: todoId,
    status: readText(image, "status") ?? "",
    priority: typeof priority === "number" ? `P${priority}` : "",
    text: readText(image, "text") ?? "",
    claimed_by: readText(image, "claim_expires_at") === null ? null : readText(image, "claimed_by"),
    decision: typeof gate === "object" && gate !== null ? readText({ ...gate }, "decision") : null,
    as_of_seq: seq,
  };
}

function readText(image: Readonly<Record<string, unknown>>, field: string): string | null {
  const value = image[field];
  return typeof value === "string" ? value : null;
}
