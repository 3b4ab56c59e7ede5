import { refuse, type Ambient, type Refusal } from "@loopx/contracts";
import type { Database, Transaction } from "@loopx/store";
import { renderActor } from "../agents/agent.ts";
import { checkHolder, checkOwner } from "../agents/check-actor.ts";
import { accept, type Accepted } from "../events/commit-changes.ts";
import { isRestrictedActionKind } from "../gates/gate.ts";
import { refuseSuperseded, refuseUnknownTodo } from "./add-todo.ts";
import { changeTodo, type ChangedTodo, type LoadedTodo, type TodoRequest } from "./change-todo.ts";
import { parseWrittenText } from "./check-todo-text.ts";
import { withoutClaim } from "./claim-todo.ts";
import { findCycle } from "./dependency-cycle.ts";
import { checkLoosening, findOwnerHold, type OwnerHold } from "./owner-hold.ts";
import { findTodo, loadWaitEdges } from "./todo-rows.ts";
import { isTerminal, type Todo } from "./todo.ts";

/** The fields to change; null leaves a field as it is. */
export interface TodoEdit {
  readonly text: string | null;
  readonly priority: number | null;
  readonly status: "open" | "blocked" | null;
  readonly note: string | null;
  readonly reason: string | null;
  readonly addDependsOn: readonly string[];
  readonly removeDependsOn: readonly string[];
  readonly clearClaim: boolean;
}

/**
 * Changes fields of a live todo. Blocking gives the claim back and keeps a resume condition; opening ends both.
 *
 * Refuses with `todo_claimed_by_other`, `todo_not_open`, `dependency_cycle`, `unknown_todo`, `missing_flag`,
 * `gate_needs_owner` (a person's todo, other words for a restricted action, or freeing what an owner holds).
 */
export async function updateTodo(
  database: Database,
  request: TodoRequest & { readonly edit: TodoEdit },
  ambient: Pick<Ambient, "now">,
): Promise<ChangedTodo | Refusal> {
  const { edit } = request;
  if (edit.text !== null) parseWrittenText(edit.text, "text");
  if (edit.note !== null) parseWrittenText(edit.note, "note");
  if (edit.reason !== null) parseWrittenText(edit.reason, "reason");
  return changeTodo(database, request, ambient, async (loaded, tx) => {
    const hold = await findOwnerHold(tx, loaded.todo, loaded.now);
    const refused =
      checkEdit(loaded, request) ??
      checkHeld(loaded.todo, request, hold) ??
      (await checkRemoved(tx, loaded.todo, request)) ??
      (await checkDependencies(tx, loaded.todo, edit));
    return refused ?? decideEdit(loaded, edit, heldAfter(loaded.todo, request, hold));
  });
}

function checkEdit({ todo, now }: LoadedTodo, request: TodoRequest & { edit: TodoEdit }): Refusal | undefined {
  if (isTerminal(todo)) {
    return refuse("todo_not_open", {
      message: `the todo is ${todo.status} and stays so`,
      details: { todo_id: todo.todo_id, status: todo.status },
    });
  }
  if (request.edit.status === "blocked" && request.edit.reason === null) {
    return refuse("missing_flag", {
      message: "blocking a todo needs a reason",
      hint: "add --reason='what is missing'",
    });
  }
  const { actor } = request.caller;
  if (todo.role === "user") return checkOwner(actor, "change a user todo");
  // An owner approves the action as it is written: other words would be another action.
  const isReworded = request.edit.text !== null && request.edit.text !== todo.text;
  if (isReworded && isRestrictedActionKind(todo.action_kind)) {
    const refused = checkOwner(actor, "reword an action that needs approval");
    if (refused !== undefined) return refused;
  }
  return checkHolder(todo, actor, now);
}

/** An agent may block what is put off already; it neither frees what an owner holds nor says otherwise why. */
function checkHeld(
  todo: Todo,
  { caller, edit }: TodoRequest & { readonly edit: TodoEdit },
  hold: OwnerHold | undefined,
): Refusal | undefined {
  if (edit.status === "open") return checkLoosening(hold, caller.actor);
  const isTightened = edit.status === "blocked" && todo.status === "deferred";
  const isSaidOtherwise = edit.reason !== null && edit.reason !== todo.reason;
  if (hold !== "owner" || isTightened || !isSaidOtherwise) return undefined;
  return checkOwner(caller.actor, "say otherwise why an owner holds a todo");
}

/** What waits for a person waits for that person, until an owner says otherwise. */
async function checkRemoved(
  tx: Transaction,
  todo: Todo,
  request: TodoRequest & { readonly edit: TodoEdit },
): Promise<Refusal | undefined> {
  for (const todoId of request.edit.removeDependsOn) {
    const needed = await findTodo(tx, todo.goal_id, todoId);
    if (needed?.role !== "user" || isTerminal(needed)) continue;
    return checkOwner(request.caller.actor, "let a todo go on without the user action it waits for");
  }
  return undefined;
}

async function checkDependencies(tx: Transaction, todo: Todo, edit: TodoEdit): Promise<Refusal | undefined> {
  if (edit.addDependsOn.length === 0) return undefined;
  for (const todoId of edit.addDependsOn) {
    const needed = await findTodo(tx, todo.goal_id, todoId);
    if (needed === undefined) return refuseUnknownTodo(todoId);
    if (needed.status === "superseded") return refuseSuperseded(needed);
  }
  const cycle = findCycle(await loadWaitEdges(tx, todo.goal_id), todo.todo_id, edit.addDependsOn);
  if (cycle === undefined) return undefined;
  return refuse("dependency_cycle", {
    message: "the dependency would make the todo wait for itself",
    details: { cycle: cycle.slice(0, CYCLE_SHOWN), cycle_length: cycle.length },
  });
}

const CYCLE_SHOWN = 10;

/** Who holds the todo then: what an owner holds stays theirs, whatever an agent adds to it. */
function heldAfter(
  todo: Todo,
  { caller, edit }: TodoRequest & { readonly edit: TodoEdit },
  hold: OwnerHold | undefined,
): string | null {
  if (edit.status === null || edit.status === todo.status) return todo.held_by;
  if (edit.status === "open") return null;
  return hold === "owner" && caller.actor.kind !== "owner" ? todo.held_by : renderActor(caller.actor);
}

function decideEdit({ todo, now }: LoadedTodo, edit: TodoEdit, heldBy: string | null): Accepted<ChangedTodo> {
  const dependsOn = [...todo.depends_on.filter((id) => !edit.removeDependsOn.includes(id)), ...edit.addDependsOn];
  const edited: Todo = {
    ...(edit.clearClaim || edit.status === "blocked" ? withoutClaim(todo) : todo),
    text: edit.text ?? todo.text,
    priority: edit.priority ?? todo.priority,
    status: edit.status ?? todo.status,
    resume: edit.status === "open" ? null : todo.resume,
    note: edit.note ?? todo.note,
    held_by: heldBy,
    reason: edit.status === "open" ? null : (edit.reason ?? todo.reason),
    depends_on: [...new Set(dependsOn)],
  };
  if (JSON.stringify(edited) === JSON.stringify(todo)) return accept<ChangedTodo>({ ok: true, todo, changed: false });
  const image: Todo = { ...edited, updated_at: now };
  return accept<ChangedTodo>({ ok: true, todo: image, changed: true }, { type: "todo_updated.v1", image });
}
