import { addMs, cutText, LIMITS, refuse, type Ambient, type Instant, type Refusal } from "@loopx/contracts";
import type { Database, Transaction } from "@loopx/store";
import { findAgent } from "../agents/agent-rows.ts";
import { renderActor } from "../agents/agent.ts";
import { checkCaller, refuseUnknownAgent, type Caller } from "../agents/check-actor.ts";
import { accept, changeGoal, type Accepted } from "../events/commit-changes.ts";
import type { Change } from "../events/event.ts";
import { findMeantActionKind, isRestrictedActionKind, type GateKind } from "../gates/gate.ts";
import { checkNotPaused, loadOpenGoal } from "../goals/load-goal.ts";
import { parseWrittenText, refuseCredential } from "./check-todo-text.ts";
import { newGate, newTodo, type TodoDraft } from "./new-todo.ts";
import { findLiveTodoByText, findTodo, loadNextPosition } from "./todo-rows.ts";
import type { Todo } from "./todo.ts";

export interface AddTodoRequest {
  readonly goalId: string;
  readonly caller: Caller;
  readonly draft: TodoDraft;
  /** A registered lane that gets the claim at once. */
  readonly claimedBy: string | null;
  readonly leaseTtlMs: number;
}

export interface AddedTodo {
  readonly ok: true;
  readonly todo: Todo;
  readonly alreadyExists: boolean;
  /** The gate that a restricted action brought along. */
  readonly gate: Todo | null;
}

/**
 * Writes a todo at the end of the goal's order, or finds the one with the same role and exact text that is not finished.
 *
 * A restricted action kind is written together with the gate that must be approved first.
 * Refuses with `unknown_goal`, `goal_not_active`, `unknown_agent`, `unknown_todo`, `invalid_value`, `credential_refused`.
 */
export async function addTodo(
  database: Database,
  request: AddTodoRequest,
  ambient: Pick<Ambient, "now" | "newId">,
): Promise<AddedTodo | Refusal> {
  parseWrittenText(request.draft.text, "text");
  refuseCredentialsIn(request.draft);
  const misfit = checkDraft(request.draft);
  if (misfit !== undefined) return misfit;
  const now = ambient.now();
  const context = { goalId: request.goalId, actor: request.caller.actor, now };
  return changeGoal(database, context, async (tx) => {
    const goal = await loadOpenGoal(tx, request.goalId);
    if (!goal.ok) return goal;
    const refused =
      (await checkCaller(tx, request.goalId, request.caller)) ??
      (request.claimedBy === null ? undefined : checkNotPaused(goal.goal, "nothing new is claimed")) ??
      (await checkReferences(tx, request));
    if (refused !== undefined) return refused;
    const existing = await findLiveTodoByText(tx, request.goalId, request.draft);
    if (existing !== undefined) {
      return (
        checkSameTodo(existing, request.draft) ??
        accept<AddedTodo>({ ok: true, todo: existing, alreadyExists: true, gate: null })
      );
    }
    const position = await loadNextPosition(tx, request.goalId);
    return decideAddTodo(request, { position, now, newTodoId: () => ambient.newId("todo") });
  });
}

interface Birth {
  readonly position: number;
  readonly now: Instant;
  readonly newTodoId: () => string;
}

function decideAddTodo(request: AddTodoRequest, birth: Birth): Accepted<AddedTodo> {
  const created_by = renderActor(request.caller.actor);
  const born = { goal_id: request.goalId, created_by, now: birth.now };
  const bare = newTodo(request.draft, { ...born, todo_id: birth.newTodoId(), position: birth.position });
  const todo: Todo =
    request.claimedBy === null
      ? bare
      : {
          ...bare,
          claimed_by: request.claimedBy,
          claim_epoch: 1,
          claim_expires_at: addMs(birth.now, request.leaseTtlMs),
        };
  const changes: Change[] = [{ type: "todo_added.v1", image: todo }];
  if (!isRestrictedActionKind(todo.action_kind)) {
    return accept<AddedTodo>({ ok: true, todo, alreadyExists: false, gate: null }, ...changes);
  }
  const gate = newTodo(draftApproval(todo), {
    ...born,
    todo_id: birth.newTodoId(),
    position: birth.position + 1,
  });
  changes.push({ type: "todo_added.v1", image: gate });
  return accept<AddedTodo>({ ok: true, todo, alreadyExists: false, gate }, ...changes);
}

/** The question that a restricted action asks its owner. */
function draftApproval(todo: Todo): TodoDraft {
  const kind = todo.action_kind as GateKind;
  const what = cutText(todo.text, LIMITS.todoTextShown).text;
  return {
    role: "user",
    task_class: "user_gate",
    text: `May an agent do this (${kind.replaceAll("_", " ")})? ${what}`,
    priority: todo.priority,
    action_kind: null,
    target_key: null,
    depends_on: [],
    resume: null,
    validation: null,
    cadence_ms: null,
    gate: newGate(kind, [todo.todo_id]),
  };
}

/** The same text is the same todo only when nothing that matters differs: a gate or a check must not get lost. */
function checkSameTodo(existing: Todo, draft: TodoDraft): Refusal | undefined {
  const differing = COMPARED.filter((field) => JSON.stringify(existing[field]) !== JSON.stringify(draft[field]));
  const isSameGate =
    existing.gate?.kind === draft.gate?.kind &&
    JSON.stringify(existing.gate?.blocks) === JSON.stringify(draft.gate?.blocks);
  if (!isSameGate) differing.push("gate");
  if (differing.length === 0) return undefined;
  return refuse("todo_differs", {
    message: `a todo that is not finished has this text already and differs in ${differing.join(", ")}; nothing was written`,
    hint: "give this one other words, or change the other with loopx todo update",
    details: { todo_id: existing.todo_id, differs_in: differing },
  });
}

const COMPARED: (keyof Todo & keyof TodoDraft)[] = [
  "task_class",
  "action_kind",
  "target_key",
  "validation",
  "depends_on",
];

/** Everything else that is kept of a todo as it was written. */
function refuseCredentialsIn({ action_kind, target_key, validation }: TodoDraft): void {
  if (action_kind !== null) refuseCredential(action_kind, "action_kind");
  if (target_key !== null) refuseCredential(target_key, "target_key");
  if (validation === null) return;
  refuseCredential(validation.argv.join(" "), "validation");
  for (const text of validation.argv) refuseCredential(text, "validation");
  if (validation.label !== null && validation.label !== "") parseWrittenText(validation.label, "validation_label");
}

function checkDraft(draft: TodoDraft): Refusal | undefined {
  const meant = draft.action_kind === null ? undefined : findMeantActionKind(draft.action_kind);
  if (meant !== undefined) {
    return refuse("invalid_value", {
      message: `action kind ${meant} is meant, which needs a gate; spelled otherwise it would have none`,
      hint: `--action-kind=${meant}`,
      details: { field: "action_kind" },
    });
  }
  const isUserClass = draft.task_class === "user_gate" || draft.task_class === "user_action";
  if (isUserClass !== (draft.role === "user")) {
    return refuse("invalid_value", {
      message: `task class ${draft.task_class} does not go with role ${draft.role}`,
      hint: "role agent takes advancement_task or monitor, role user takes user_gate or user_action",
      details: { field: "task_class" },
    });
  }
  if ((draft.task_class === "user_gate") !== (draft.gate !== null) || draft.gate?.decision != null) {
    return refuse("invalid_value", {
      message: "a gate says what it holds and is undecided at first; nothing else has one",
      hint: "add --task-class=user_gate --blocks=goal",
      details: { field: "gate" },
    });
  }
  if (draft.task_class === "monitor" && draft.cadence_ms === null) {
    return refuse("invalid_value", {
      message: "a monitor needs the time between two checks",
      hint: "add --cadence=15m",
      details: { field: "cadence" },
    });
  }
  return undefined;
}

async function checkReferences(tx: Transaction, request: AddTodoRequest): Promise<Refusal | undefined> {
  const { draft, goalId, claimedBy } = request;
  if (claimedBy !== null && (await findAgent(tx, goalId, claimedBy)) === undefined) return refuseUnknownAgent(goalId);
  for (const target of draft.gate?.blocks ?? []) {
    const agentId = target.startsWith("agent:") ? target.slice("agent:".length) : null;
    if (agentId !== null && (await findAgent(tx, goalId, agentId)) === undefined) return refuseUnknownAgent(goalId);
  }
  const named = [...draft.depends_on, ...(draft.gate?.blocks ?? []).filter((target) => target.startsWith("todo_"))];
  if (draft.resume?.startsWith("todo_done:") === true) named.push(draft.resume.slice("todo_done:".length));
  for (const todoId of named) {
    const todo = await findTodo(tx, goalId, todoId);
    if (todo === undefined) return refuseUnknownTodo(todoId);
    if (todo.status === "superseded") return refuseSuperseded(todo);
  }
  return undefined;
}

/** Nothing can wait for what will never be done. */
export function refuseSuperseded(todo: Todo): Refusal {
  const { successor_todo_id: successor } = todo;
  return refuse("todo_not_open", {
    message: "the todo named is superseded and will never be done",
    ...(successor === null ? {} : { hint: `name its successor instead: ${successor}` }),
    details: { todo_id: todo.todo_id, successor_todo_id: successor },
  });
}

export function refuseUnknownTodo(todoId: string): Refusal {
  return refuse("unknown_todo", { message: "no todo of this goal has this id", details: { todo_id: todoId } });
}
