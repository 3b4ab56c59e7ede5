import type { Ambient, Refusal } from "@loopx/contracts";
import type { Database } from "@loopx/store";
import { checkCaller, type Caller } from "../agents/check-actor.ts";
import { accept, changeGoal } from "../events/commit-changes.ts";
import { decodeRow, selectFrom } from "../events/entity-table.ts";
import { loadGoal } from "../goals/load-goal.ts";
import { refuseUnknownTodo } from "./add-todo.ts";
import { refuseNotOpen } from "./claim-todo.ts";
import { findTodo, TODOS } from "./todo-rows.ts";
import { isTerminal, type Todo } from "./todo.ts";

export interface ArchiveRequest {
  readonly goalId: string;
  readonly caller: Caller;
  /** The todos to archive; null means every finished one. */
  readonly todoIds: readonly string[] | null;
}

export interface ArchivedTodos {
  readonly ok: true;
  readonly archivedIds: readonly string[];
}

/** Takes finished todos out of the lists. They stay in the store, in history and addressable by id. */
export async function archiveTodos(
  database: Database,
  request: ArchiveRequest,
  ambient: Pick<Ambient, "now">,
): Promise<ArchivedTodos | Refusal> {
  const now = ambient.now();
  return changeGoal(database, { goalId: request.goalId, actor: request.caller.actor, now }, async (tx) => {
    const goal = await loadGoal(tx, request.goalId);
    if (!goal.ok) return goal;
    const refused = await checkCaller(tx, request.goalId, request.caller);
    if (refused !== undefined) return refused;
    const finished: Todo[] = [];
    if (request.todoIds === null) {
      const rows = await tx.all(
        `${selectFrom(TODOS)} WHERE goal_id = ? AND status IN ('done', 'superseded') AND archived_at IS NULL ORDER BY position`,
        request.goalId,
      );
      finished.push(...rows.map((row) => decodeRow(TODOS, row)));
    }
    for (const todoId of request.todoIds ?? []) {
      const todo = await findTodo(tx, request.goalId, todoId);
      if (todo === undefined) return refuseUnknownTodo(todoId);
      if (!isTerminal(todo)) return refuseNotOpen(todo);
      if (todo.archived_at === null) finished.push(todo);
    }
    return accept<ArchivedTodos>(
      { ok: true, archivedIds: finished.map((todo) => todo.todo_id) },
      ...finished.map((todo) => ({
        type: "todo_archived.v1" as const,
        image: { ...todo, archived_at: now, updated_at: now },
      })),
    );
  });
}
