import { refuse, type Ambient, type Refusal } from "@loopx/contracts";
import type { Database, Transaction } from "@loopx/store";
import { renderActor } from "../agents/agent.ts";
import { checkHolder, checkOwner } from "../agents/check-actor.ts";
import { accept } from "../events/commit-changes.ts";
import { refuseSuperseded, refuseUnknownTodo } from "./add-todo.ts";
import { changeTodo, type ChangedTodo, type TodoRequest } from "./change-todo.ts";
import { parseWrittenText } from "./check-todo-text.ts";
import { refuseNotOpen, withoutClaim } from "./claim-todo.ts";
import { findCycle } from "./dependency-cycle.ts";
import { checkLoosening, findOwnerHold } from "./owner-hold.ts";
import { findTodo, loadWaitEdges } from "./todo-rows.ts";
import { isTerminal, type Todo } from "./todo.ts";

export interface DeferRequest extends TodoRequest {
  /** In stored form, from `parseResumeCondition`. */
  readonly resume: string;
  readonly reason: string | null;
}

/**
 * Puts a todo aside until its resume condition holds; then it is runnable again by itself, unless `manual`.
 *
 * Gives the claim back. Refuses with `todo_claimed_by_other`, `todo_not_open`, `todo_is_gate`, `unknown_todo`,
 * `gate_needs_owner` (a person's todo, and what an owner holds or a person's step holds).
 */
export async function deferTodo(
  database: Database,
  request: DeferRequest,
  ambient: Pick<Ambient, "now">,
): Promise<ChangedTodo | Refusal> {
  if (request.reason !== null) parseWrittenText(request.reason, "reason");
  return changeTodo(database, request, ambient, async ({ todo, now }, tx) => {
    if (isTerminal(todo)) return refuseNotOpen(todo);
    if (todo.task_class === "user_gate") return refuseGate(todo);
    const { actor } = request.caller;
    const hold = await findOwnerHold(tx, todo, now);
    const isSameWait = hold === "person" && request.resume === todo.resume;
    const refused =
      (todo.role === "user" ? checkOwner(actor, "defer a user todo") : checkHolder(todo, actor, now)) ??
      (isSameWait ? undefined : checkLoosening(hold, actor));
    if (refused !== undefined) return refused;
    const awaited = request.resume.startsWith("todo_done:") ? request.resume.slice("todo_done:".length) : null;
    const unfit = awaited === null ? undefined : await checkAwaited(tx, todo, awaited);
    if (unfit !== undefined) return unfit;
    const deferred: Todo = {
      ...withoutClaim(todo),
      status: "deferred",
      resume: request.resume,
      held_by: renderActor(actor),
      reason: request.reason,
      updated_at: now,
    };
    return accept<ChangedTodo>(
      { ok: true, todo: deferred, changed: true },
      { type: "todo_deferred.v1", image: deferred },
    );
  });
}

/** What a todo waits for must exist, be able to be done, and not wait for the todo itself. */
async function checkAwaited(tx: Transaction, todo: Todo, awaited: string): Promise<Refusal | undefined> {
  const other = await findTodo(tx, todo.goal_id, awaited);
  if (other === undefined) return refuseUnknownTodo(awaited);
  if (other.status === "superseded") return refuseSuperseded(other);
  const isCyclic = findCycle(await loadWaitEdges(tx, todo.goal_id), todo.todo_id, [awaited]) !== undefined;
  return isCyclic ? refuse("dependency_cycle", { message: "the todo would wait for itself to be done" }) : undefined;
}

function refuseGate(todo: Todo): Refusal {
  return refuse("todo_is_gate", {
    message: "this todo is a gate: an owner decides or defers it",
    hint: `loopx gate decide --goal-id=${todo.goal_id} --gate-id=${todo.todo_id} --decision=defer`,
  });
}
