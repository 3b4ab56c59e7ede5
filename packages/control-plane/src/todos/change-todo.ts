import type { Ambient, Instant, Refusal } from "@loopx/contracts";
import type { Database, Transaction } from "@loopx/store";
import { checkCaller, checkNamed, type Caller } from "../agents/check-actor.ts";
import { changeGoal, type Accepted } from "../events/commit-changes.ts";
import type { Goal } from "../goals/goal.ts";
import { loadOpenGoal } from "../goals/load-goal.ts";
import { refuseUnknownTodo } from "./add-todo.ts";
import { findTodo } from "./todo-rows.ts";
import type { Todo } from "./todo.ts";

/** Which todo, and who asks. */
export interface TodoRequest {
  readonly goalId: string;
  readonly todoId: string;
  readonly caller: Caller;
}

/** The todo as it is after a change. */
export interface ChangedTodo {
  readonly ok: true;
  readonly todo: Todo;
  /** False when the todo was so already. */
  readonly changed: boolean;
}

export interface LoadedTodo {
  readonly goal: Goal;
  readonly todo: Todo;
  readonly now: Instant;
}

/** Loads the todo for a caller who may act on the goal, decides, and commits in one transaction. */
export async function changeTodo<Result>(
  database: Database,
  request: TodoRequest,
  ambient: Pick<Ambient, "now">,
  decide: (loaded: LoadedTodo, tx: Transaction) => Promise<Accepted<Result> | Refusal>,
): Promise<Result | Refusal> {
  const now = ambient.now();
  const context = { goalId: request.goalId, actor: request.caller.actor, now };
  return changeGoal(database, context, async (tx) => {
    const loaded = await loadOpenGoal(tx, request.goalId);
    if (!loaded.ok) return loaded;
    const refused = checkNamed(request.caller) ?? (await checkCaller(tx, request.goalId, request.caller));
    if (refused !== undefined) return refused;
    const todo = await findTodo(tx, request.goalId, request.todoId);
    if (todo === undefined) return refuseUnknownTodo(request.todoId);
    return decide({ goal: loaded.goal, todo, now }, tx);
  });
}
