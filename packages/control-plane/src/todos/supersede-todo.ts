import { refuse, type Ambient, type Refusal } from "@loopx/contracts";
import type { Database, Transaction } from "@loopx/store";
import { renderActor, type Actor } from "../agents/agent.ts";
import { checkHolder, checkOwner } from "../agents/check-actor.ts";
import { accept } from "../events/commit-changes.ts";
import type { Change } from "../events/event.ts";
import { isNamedByGate } from "../gates/gate-target-rows.ts";
import { isRestrictedActionKind } from "../gates/gate.ts";
import { refuseUnknownTodo } from "./add-todo.ts";
import { changeTodo, type LoadedTodo, type TodoRequest } from "./change-todo.ts";
import { parseWrittenText } from "./check-todo-text.ts";
import { refuseNotOpen } from "./claim-todo.ts";
import { closeGatesOf } from "./close-todo.ts";
import { findCycle } from "./dependency-cycle.ts";
import { draftFollowUp, newTodo, type TodoDraft } from "./new-todo.ts";
import { checkAwaitedByOwner, checkLoosening, findOwnerHold, type OwnerHold } from "./owner-hold.ts";
import { findTodo, listDependents, listWaiting, loadNextPosition, loadWaitEdges } from "./todo-rows.ts";
import { isTerminal, type Todo } from "./todo.ts";

export interface SupersedeRequest extends TodoRequest {
  readonly reason: string;
  readonly replacement:
    | { readonly kind: "none" }
    | { readonly kind: "next"; readonly text: string }
    | { readonly kind: "successor"; readonly todoId: string };
}

export interface SupersededTodo {
  readonly ok: true;
  readonly todo: Todo;
  readonly changed: boolean;
  readonly nextTodo: Todo | null;
}

/**
 * Ends a todo in favour of another, or of none. What depended on it or was deferred until it is done depends on the
 * replacement from then on. What an owner or a person's step holds back, holds a new replacement back as well.
 *
 * Refuses with `todo_claimed_by_other`, `todo_not_open`, `unknown_todo`, `dependency_cycle`, `gate_needs_owner`.
 */
export async function supersedeTodo(
  database: Database,
  request: SupersedeRequest,
  ambient: Pick<Ambient, "now" | "newId">,
): Promise<SupersededTodo | Refusal> {
  parseWrittenText(request.reason, "reason");
  if (request.replacement.kind === "next") parseWrittenText(request.replacement.text, "next_todo");
  return changeTodo(database, request, ambient, async (loaded, tx) => {
    const { todo, now } = loaded;
    const { actor } = request.caller;
    if (todo.status === "superseded") {
      return accept<SupersededTodo>({ ok: true, todo, changed: false, nextTodo: null });
    }
    if (isTerminal(todo)) return refuseNotOpen(todo);
    const hold = await findOwnerHold(tx, todo, now);
    const refused =
      (todo.role === "user" ? checkOwner(actor, "supersede a user todo") : checkHolder(todo, actor, now)) ??
      (request.replacement.kind === "next" ? undefined : await checkDrop(tx, { todo, hold }, actor)) ??
      (request.replacement.kind === "none" ? undefined : await checkGates(tx, todo, actor));
    if (refused !== undefined) return refused;
    const replaced = await planReplacement(tx, loaded, { request, hold, newTodoId: () => ambient.newId("todo") });
    if ("code" in replaced) return replaced;
    const superseded: Todo = {
      ...todo,
      status: "superseded",
      claim_expires_at: null,
      reason: request.reason,
      successor_todo_id: replaced.successorTodoId,
      updated_at: now,
    };
    const changes: Change[] = [{ type: "todo_superseded.v1", image: superseded }];
    if (replaced.next !== null) changes.push({ type: "todo_added.v1", image: replaced.next });
    changes.push(...(await repointDependents(tx, superseded)), ...(await closeGatesOf(tx, todo, now)));
    return accept<SupersededTodo>({ ok: true, todo: superseded, changed: true, nextTodo: replaced.next }, ...changes);
  });
}

/** What an owner wants done or holds an agent may put in other words, held to the same; only an owner drops it. */
async function checkDrop(tx: Transaction, { todo, hold }: Held, actor: Actor): Promise<Refusal | undefined> {
  const isOwners = todo.created_by.startsWith("owner:");
  const refused = isOwners ? checkOwner(actor, "drop a todo that an owner wrote") : undefined;
  return (
    refused ??
    (hold === "owner" ? checkLoosening(hold, actor) : undefined) ??
    (await checkAwaitedByOwner(tx, todo, actor))
  );
}

interface Held {
  readonly todo: Todo;
  readonly hold: OwnerHold | undefined;
}

/** A gate that asks about a todo cannot be got rid of by putting another todo in its place. */
async function checkGates(tx: Transaction, todo: Todo, actor: Actor): Promise<Refusal | undefined> {
  const isGated = isRestrictedActionKind(todo.action_kind) || (await isNamedByGate(tx, todo.goal_id, todo.todo_id));
  if (!isGated) return undefined;
  return checkOwner(actor, "supersede a todo that a gate asks about");
}

interface Replacement {
  readonly successorTodoId: string | null;
  readonly next: Todo | null;
}

async function planReplacement(
  tx: Transaction,
  { todo, now }: LoadedTodo,
  planning: Pick<Held, "hold"> & { readonly request: SupersedeRequest; readonly newTodoId: () => string },
): Promise<Replacement | Refusal> {
  const { replacement, caller } = planning.request;
  switch (replacement.kind) {
    case "none":
      return { successorTodoId: null, next: null };
    case "next": {
      const fresh = newTodo(draftReplacement(todo, replacement.text), {
        goal_id: todo.goal_id,
        todo_id: planning.newTodoId(),
        position: await loadNextPosition(tx, todo.goal_id),
        created_by: renderActor(caller.actor),
        now,
      });
      const next = planning.hold === undefined ? fresh : { ...fresh, ...holdOf(todo) };
      return { successorTodoId: next.todo_id, next };
    }
    case "successor": {
      const successor = await findTodo(tx, todo.goal_id, replacement.todoId);
      if (successor === undefined) return refuseUnknownTodo(replacement.todoId);
      if (successor.status === "superseded") return refuseNotOpen(successor);
      const edges = new Map(await loadWaitEdges(tx, todo.goal_id));
      // What waits for the todo that it replaces has nothing left to wait for.
      if (successor.resume === `todo_done:${todo.todo_id}`) edges.set(successor.todo_id, successor.depends_on);
      const isCyclic =
        successor.todo_id === todo.todo_id || findCycle(edges, todo.todo_id, [successor.todo_id]) !== undefined;
      if (!isCyclic) return { successorTodoId: successor.todo_id, next: null };
      return refuse("dependency_cycle", { message: "the replacement itself waits for the todo it would replace" });
    }
  }
}

/** What takes a todo's place is held to the same: its check, its dependencies and what it is about. */
function draftReplacement(todo: Todo, text: string): TodoDraft {
  const { action_kind, target_key, depends_on, validation } = todo;
  return { ...draftFollowUp(text, todo.priority), action_kind, target_key, depends_on, validation };
}

function holdOf({ status, resume, held_by, reason }: Todo): Pick<Todo, "status" | "resume" | "held_by" | "reason"> {
  return { status, resume, held_by, reason };
}

/** What needed the todo or waited for it needs its replacement; without one nothing is left to need. */
async function repointDependents(tx: Transaction, todo: Todo): Promise<readonly Change[]> {
  const dependents = await listDependents(tx, todo.goal_id, todo.todo_id);
  const waiting = await listWaiting(tx, todo.goal_id, todo.todo_id);
  const affected = new Map([...dependents, ...waiting].map((other) => [other.todo_id, other]));
  return [...affected.values()]
    .filter((other) => !isTerminal(other))
    .map((other) => ({ type: "todo_updated.v1", image: repoint(other, todo) }));
}

function repoint(dependent: Todo, superseded: Todo): Todo {
  const { todo_id: oldId, successor_todo_id: newId, updated_at } = superseded;
  const dependsOn = dependent.depends_on.flatMap((id) => (id === oldId ? (newId ?? []) : id));
  const repointed: Todo = { ...dependent, depends_on: [...new Set(dependsOn)], updated_at };
  if (dependent.resume !== `todo_done:${oldId}`) return repointed;
  if (newId !== null && newId !== dependent.todo_id) return { ...repointed, resume: `todo_done:${newId}` };
  if (dependent.status === "blocked") return { ...repointed, resume: null };
  return { ...repointed, status: "open", resume: null, held_by: null, reason: null };
}
