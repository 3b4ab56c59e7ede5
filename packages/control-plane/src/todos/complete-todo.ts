import { refuse, type Ambient, type Refusal } from "@loopx/contracts";
import type { Database, Transaction } from "@loopx/store";
import { checkCaller, checkHolder, checkOwner } from "../agents/check-actor.ts";
import { renderActor } from "../agents/agent.ts";
import { findHold } from "../decision/runnable-todo.ts";
import { findCandidate, findDone } from "../decision/candidate-rows.ts";
import { listGatesOver } from "../decision/gate-facts.ts";
import { accept, type Accepted } from "../events/commit-changes.ts";
import type { Change } from "../events/event.ts";
import { completeGoalChange } from "../goals/change-goal.ts";
import type { Goal } from "../goals/goal.ts";
import { checkNotPaused, loadOpenGoal } from "../goals/load-goal.ts";
import type { Evidence, EvidenceFile, Turn, ValidationResult } from "../turns/turn.ts";
import { checkShown } from "../turns/check-shown.ts";
import { findEvidenceOfTurn, findOpenTurn, findTurn } from "../turns/turn-rows.ts";
import { refuseUnknownTodo } from "./add-todo.ts";
import { changeTodo, type LoadedTodo, type TodoRequest } from "./change-todo.ts";
import { parseWrittenText } from "./check-todo-text.ts";
import { refuseNotOpen } from "./claim-todo.ts";
import { closeGatesOf } from "./close-todo.ts";
import { draftFollowUp, newTodo } from "./new-todo.ts";
import { countLiveTodos, findTodo, loadNextPosition } from "./todo-rows.ts";
import type { Todo } from "./todo.ts";

/** What comes after the todo: nothing, a new one, one that exists, or not said. */
export type FollowUp =
  | { readonly kind: "no_follow_up" }
  | { readonly kind: "next"; readonly text: string }
  | { readonly kind: "successor"; readonly todoId: string }
  | { readonly kind: "open_ended" };

export interface CompleteRequest extends TodoRequest {
  readonly turnId: string | null;
  readonly evidence: string | null;
  readonly files: readonly EvidenceFile[];
  readonly followUp: FollowUp;
  /** What the todo's own validation command gave just now; null when it was not run. */
  readonly validation: { readonly argv: readonly string[]; readonly result: ValidationResult } | null;
}

export interface CompletedTodo {
  readonly ok: true;
  readonly todo: Todo;
  readonly alreadyDone: boolean;
  readonly nextTodo: Todo | null;
  /** The goal, when this was its last todo and nothing follows. */
  readonly completedGoal: Goal | null;
}

/**
 * Completes a todo with what there is to show for it.
 *
 * The last live todo of a goal, completed with an explicit no-follow-up, completes the goal. A todo that is done
 * already answers so. In a paused goal an agent completes only the todo of its own turn, and the goal stays paused.
 * An agent must hold the claim (or nobody), show evidence, and pass the todo's validation command.
 * Refuses with `todo_claimed_by_other`, `todo_not_open`, `todo_is_gate`, `todo_not_runnable`, `lease_lost`,
 * `evidence_required`, `validation_failed`, `todo_changed`, `gate_needs_owner`, `goal_not_active`.
 */
export async function completeTodo(
  database: Database,
  asked: CompleteRequest,
  ambient: Pick<Ambient, "now" | "newId">,
): Promise<CompletedTodo | Refusal> {
  if (asked.evidence !== null) parseWrittenText(asked.evidence, "evidence");
  checkShown({ files: asked.files, validation: asked.validation?.result ?? null });
  if (asked.followUp.kind === "next") parseWrittenText(asked.followUp.text, "next_todo");
  return changeTodo(database, asked, ambient, async (loaded, tx) => {
    const { todo } = loaded;
    const request = await withOwnTurn(tx, todo, asked);
    if (todo.status === "done") {
      const late = await refuseLateFollowUp(tx, todo, request.followUp);
      if (late !== undefined) return late;
      return accept<CompletedTodo>({ ok: true, todo, alreadyDone: true, nextTodo: null, completedGoal: null });
    }
    const refused = (await checkBeforeValidation(tx, loaded, request)) ?? checkValidation(todo, request);
    if (refused !== undefined) return refused;
    return decideCompletion(tx, { ...loaded, request, newId: ambient.newId });
  });
}

/** A repeat may say again what follows, or nothing; anything else would be dropped in silence. */
async function refuseLateFollowUp(tx: Transaction, todo: Todo, followUp: FollowUp): Promise<Refusal | undefined> {
  if (followUp.kind === "open_ended") return undefined;
  const goal = `--goal-id=${todo.goal_id}`;
  const message = "the todo is done already, so what follows it cannot be said any more";
  const details = { todo_id: todo.todo_id, completion: todo.completion };
  if (followUp.kind === "no_follow_up") {
    if (todo.completion === "no_follow_up") return undefined;
    return refuse("todo_not_open", { message, hint: `loopx goal complete ${goal}`, details });
  }
  const successor =
    todo.successor_todo_id === null ? undefined : await findTodo(tx, todo.goal_id, todo.successor_todo_id);
  const isSame = followUp.kind === "next" ? successor?.text === followUp.text : successor?.todo_id === followUp.todoId;
  if (isSame) return undefined;
  return refuse("todo_not_open", {
    message,
    hint: `loopx todo add ${goal} --role=agent '--text=<todo text>'`,
    details,
  });
}

/**
 * What stands in the way of completing a todo, its validation command left out: asked before that command is run.
 *
 * Undefined when nothing does, or when the todo is done already.
 */
export async function findCompletionRefusal(
  database: Database,
  request: CompleteRequest,
  ambient: Pick<Ambient, "now">,
): Promise<Refusal | undefined> {
  return database.read(async (tx) => {
    const goal = await loadOpenGoal(tx, request.goalId);
    if (!goal.ok) return goal;
    const refused = await checkCaller(tx, request.goalId, request.caller);
    if (refused !== undefined) return refused;
    const todo = await findTodo(tx, request.goalId, request.todoId);
    if (todo === undefined) return refuseUnknownTodo(request.todoId);
    if (todo.status === "done") return undefined;
    const loaded = { goal: goal.goal, todo, now: ambient.now() };
    return checkBeforeValidation(tx, loaded, await withOwnTurn(tx, todo, request));
  });
}

async function checkBeforeValidation(
  tx: Transaction,
  loaded: LoadedTodo,
  request: CompleteRequest,
): Promise<Refusal | undefined> {
  return (
    checkCompletable(loaded, request) ??
    (await checkTurn(tx, loaded, request)) ??
    checkPause(loaded.goal, request) ??
    (await checkHolds(tx, loaded, request)) ??
    (await checkEvidence(tx, loaded, request))
  );
}

/**
 * The request with the caller's own open turn on the todo, when the caller does not name it: what a turn did is shown and
 * charged as that turn's, so that leaving `--turn` out is no way around the budget.
 */
async function withOwnTurn(tx: Transaction, todo: Todo, request: CompleteRequest): Promise<CompleteRequest> {
  const { actor } = request.caller;
  if (request.turnId !== null || actor.kind !== "agent") return request;
  const open = await findOpenTurn(tx, todo.goal_id, actor.agent_id);
  const isOwn = open?.todo_id === todo.todo_id && open.claim_epoch === todo.claim_epoch;
  return isOwn ? { ...request, turnId: open.turn_id } : request;
}

/** A turn that was open when the pause came is finished; no other work is. */
function checkPause(goal: Goal, { caller, turnId }: CompleteRequest): Refusal | undefined {
  if (caller.actor.kind === "owner" || turnId !== null) return undefined;
  return checkNotPaused(goal, "an agent completes only the todo of a turn that was open before");
}

function checkCompletable({ todo, now }: LoadedTodo, request: CompleteRequest): Refusal | undefined {
  const { actor } = request.caller;
  if (todo.task_class === "user_gate") {
    return refuse("todo_is_gate", {
      message: "this todo is a gate: it is decided, not completed",
      hint: `loopx gate decide --goal-id=${todo.goal_id} --gate-id=${todo.todo_id} --decision=approve`,
    });
  }
  if (todo.task_class === "user_action") {
    const refused = checkOwner(actor, "complete a user action");
    if (refused !== undefined) return refused;
  }
  if (todo.status === "superseded" || (todo.status !== "open" && actor.kind !== "owner")) return refuseNotOpen(todo);
  return checkHolder(todo, actor, now);
}

async function checkTurn(
  tx: Transaction,
  { todo }: LoadedTodo,
  request: CompleteRequest,
): Promise<Refusal | undefined> {
  if (request.turnId === null) return undefined;
  const turn = await findTurn(tx, todo.goal_id, request.turnId);
  if (turn === undefined) return refuse("unknown_turn", { message: "no turn of this goal has this id" });
  if (isTurnOf(turn, todo, request)) return undefined;
  return refuse("lease_lost", {
    message: "the turn no longer holds this todo",
    details: { todo_id: todo.todo_id, turn_id: turn.turn_id, turn_state: turn.state },
  });
}

function isTurnOf(turn: Turn, todo: Todo, request: CompleteRequest): boolean {
  const { actor } = request.caller;
  const isOwn = actor.kind !== "agent" || actor.agent_id === turn.agent_id;
  return isOwn && turn.todo_id === todo.todo_id && turn.state !== "released" && turn.claim_epoch === todo.claim_epoch;
}

/** An agent cannot complete what it may not run. */
async function checkHolds(
  tx: Transaction,
  { goal, todo, now }: LoadedTodo,
  request: CompleteRequest,
): Promise<Refusal | undefined> {
  const { actor } = request.caller;
  if (actor.kind === "owner") return undefined;
  const agentId = actor.kind === "agent" ? actor.agent_id : "";
  const candidate = await findCandidate(tx, goal.goal_id, todo.todo_id);
  if (candidate === undefined) return undefined;
  const gates = await listGatesOver(tx, goal.goal_id, { agentId, todos: [candidate] });
  const hold = findHold(candidate, { agentId, gates, doneTodoIds: await findDone(tx, goal.goal_id, [candidate]) }, now);
  if (hold.by === "nothing" || hold.by === "not_due") return undefined;
  return refuse("todo_not_runnable", {
    message: `the todo is held back: ${hold.by.replaceAll("_", " ")}`,
    hint: `loopx todo show --goal-id=${todo.goal_id} --todo-id=${todo.todo_id}`,
    details: { todo_id: todo.todo_id, held_by: hold.by },
  });
}

async function checkEvidence(
  tx: Transaction,
  { todo }: LoadedTodo,
  request: CompleteRequest,
): Promise<Refusal | undefined> {
  if (request.caller.actor.kind === "owner" || request.evidence !== null || request.files.length > 0) return undefined;
  const recorded = await tx.get(
    "SELECT evidence_id FROM evidence WHERE goal_id = ? AND todo_id = ? AND outcome IN ('progress', 'primary_outcome') LIMIT 1",
    todo.goal_id,
    todo.todo_id,
  );
  if (recorded !== undefined) return undefined;
  return refuse("evidence_required", {
    message: "nothing was recorded yet that shows this todo is done",
    hint: "add --evidence='what was done and how it was checked', or record it first with loopx refresh-state",
    details: { todo_id: todo.todo_id },
  });
}

function checkValidation(todo: Todo, request: CompleteRequest): Refusal | undefined {
  if (todo.validation === null) return undefined;
  const ran = request.validation;
  if (ran === null || JSON.stringify(ran.argv) !== JSON.stringify(todo.validation.argv)) {
    return refuse("todo_changed", { message: "the todo's validation command changed meanwhile; complete it again" });
  }
  if (ran.result.status === "passed") return undefined;
  return refuse("validation_failed", {
    message: `the todo's validation command ${describeFailure(ran.result)}; the todo stays open`,
    hint: "mend the work, then complete the todo again",
    details: { todo_id: todo.todo_id, validation: ran.result },
  });
}

/** The end of what the command said goes with it: without it nobody knows what to mend. */
function describeFailure({ timed_out, exit_code, output }: ValidationResult): string {
  const said = output === null ? "" : `, saying: ${output.slice(-SAID_CHARACTERS).toWellFormed()}`;
  if (timed_out) return `ran out of time${said}`;
  return exit_code === null ? `did not run${said}` : `failed with exit code ${exit_code}${said}`;
}

const SAID_CHARACTERS = 200;

interface Completing extends LoadedTodo {
  readonly request: CompleteRequest;
  readonly newId: Ambient["newId"];
}

async function decideCompletion(tx: Transaction, completing: Completing): Promise<Accepted<CompletedTodo> | Refusal> {
  const { goal, todo, now, request } = completing;
  const followed = await planFollowUp(tx, completing);
  if ("code" in followed) return followed;
  const done: Todo = {
    ...todo,
    status: "done",
    claim_expires_at: null,
    reason: null,
    completion: followed.completion,
    successor_todo_id: followed.successorTodoId,
    completed_at: now,
    updated_at: now,
  };
  const changes: Change[] = [...(await planEvidence(tx, completing)), { type: "todo_completed.v1", image: done }];
  if (followed.next !== null) changes.push({ type: "todo_added.v1", image: followed.next });
  const closedGates = await closeGatesOf(tx, todo, now);
  changes.push(...closedGates);
  const left = (await countLiveTodos(tx, goal.goal_id, todo.todo_id)) - closedGates.length;
  const mayEndGoal = goal.status !== "paused" || request.caller.actor.kind === "owner";
  const isFinished = request.followUp.kind === "no_follow_up" && left === 0 && mayEndGoal;
  const completed = isFinished ? completeGoalChange(goal, null, now) : null;
  if (completed !== null) changes.push(completed);
  return accept<CompletedTodo>(
    {
      ok: true,
      todo: done,
      alreadyDone: false,
      nextTodo: followed.next,
      completedGoal: completed === null ? null : completed.image,
    },
    ...changes,
  );
}

interface Followed {
  readonly completion: NonNullable<Todo["completion"]>;
  readonly successorTodoId: string | null;
  readonly next: Todo | null;
}

async function planFollowUp(tx: Transaction, completing: Completing): Promise<Followed | Refusal> {
  const { todo, now, request, newId } = completing;
  const { followUp } = request;
  switch (followUp.kind) {
    case "no_follow_up":
    case "open_ended":
      return { completion: followUp.kind, successorTodoId: null, next: null };
    case "successor":
      if (followUp.todoId === todo.todo_id) {
        return refuse("invalid_value", {
          message: "a todo cannot follow itself",
          details: { field: "successor", todo_id: todo.todo_id },
        });
      }
      if ((await findTodo(tx, todo.goal_id, followUp.todoId)) === undefined) return refuseUnknownTodo(followUp.todoId);
      return { completion: "successor", successorTodoId: followUp.todoId, next: null };
    case "next": {
      const next = newTodo(draftFollowUp(followUp.text, todo.priority), {
        goal_id: todo.goal_id,
        todo_id: newId("todo"),
        position: await loadNextPosition(tx, todo.goal_id),
        created_by: renderActor(request.caller.actor),
        now,
      });
      return { completion: "successor", successorTodoId: next.todo_id, next };
    }
  }
}

/** The turn takes one evidence record; what is shown beyond it belongs to the todo alone. */
async function planEvidence(tx: Transaction, completing: Completing): Promise<readonly Change[]> {
  const { todo, now, request, newId } = completing;
  const { actor } = request.caller;
  const recorded = request.turnId === null ? undefined : await findEvidenceOfTurn(tx, todo.goal_id, request.turnId);
  const isShown = request.evidence !== null || request.files.length > 0 || request.validation !== null;
  const isOwed = request.turnId !== null && recorded === undefined;
  if (!isShown && !isOwed) return [];
  const evidence: Evidence = {
    goal_id: todo.goal_id,
    evidence_id: newId("evidence"),
    agent_id: actor.kind === "agent" ? actor.agent_id : null,
    todo_id: todo.todo_id,
    turn_id: recorded === undefined ? request.turnId : null,
    outcome: "primary_outcome",
    text: request.evidence ?? (isShown ? "" : "completed on evidence recorded before this turn"),
    files: request.files,
    validation: request.validation?.result ?? null,
    recorded_at: now,
  };
  return [{ type: "evidence_recorded.v1", image: evidence }];
}
