import { LIMITS, parseStorableText, refuse, type Ambient, type Instant, type Refusal } from "@loopx/contracts";
import type { Database, Transaction } from "@loopx/store";
import { renderActor } from "../agents/agent.ts";
import { checkCaller, checkOwner, type Caller } from "../agents/check-actor.ts";
import { accept, changeGoal, type Accepted } from "../events/commit-changes.ts";
import type { Change } from "../events/event.ts";
import { checkSeen } from "../events/seen-state.ts";
import { parseWrittenText, refuseCredential, refusePlaceholder } from "../todos/check-todo-text.ts";
import { newGate, newTodo } from "../todos/new-todo.ts";
import { listLiveGates } from "../todos/todo-queries.ts";
import { countLiveTodos, loadNextPosition } from "../todos/todo-rows.ts";
import type { Todo } from "../todos/todo.ts";
import { loadTurnUse } from "../turns/turn-rows.ts";
import type { Goal } from "./goal.ts";
import { checkNotPaused, loadGoal, loadOpenGoal } from "./load-goal.ts";

export interface GoalRequest {
  readonly goalId: string;
  readonly caller: Caller;
  /** Why, in the caller's words; a change of status keeps it. */
  readonly reason: string | null;
  /** The event up to which the caller saw the goal: a change since then is refused with `goal_revision_conflict`. */
  readonly expectSeq?: number | undefined;
}

/** The goal as it is after a change. */
export interface ChangedGoal {
  readonly ok: true;
  readonly goal: Goal;
  readonly changed: boolean;
  /** The gate that an agent's edit waits for. */
  readonly gate: Todo | null;
}

interface LoadedGoalChange {
  readonly goal: Goal;
  readonly now: Instant;
}

async function changeLoadedGoal(
  database: Database,
  request: GoalRequest,
  ambient: Pick<Ambient, "now">,
  decide: (loaded: LoadedGoalChange, tx: Transaction) => Promise<Accepted<ChangedGoal> | Refusal>,
): Promise<ChangedGoal | Refusal> {
  const now = ambient.now();
  if (request.reason !== null) parseWrittenText(request.reason, "reason");
  return changeGoal(database, { goalId: request.goalId, actor: request.caller.actor, now }, async (tx) => {
    const loaded = await loadGoal(tx, request.goalId);
    if (!loaded.ok) return loaded;
    const seen = { goalId: request.goalId, entity: "goal", entityId: request.goalId, seq: request.expectSeq } as const;
    const refused =
      (await checkCaller(tx, request.goalId, request.caller)) ?? (await checkSeen(tx, seen, "goal_revision_conflict"));
    return refused ?? decide({ goal: loaded.goal, now }, tx);
  });
}

function unchanged(goal: Goal): Accepted<ChangedGoal> {
  return accept<ChangedGoal>({ ok: true, goal, changed: false, gate: null });
}

function changed(change: Change & { readonly image: Goal }): Accepted<ChangedGoal> {
  return accept<ChangedGoal>({ ok: true, goal: change.image, changed: true, gate: null }, change);
}

/** Takes an objective exactly as written; refuses what cannot be stored or holds a credential. */
export function parseObjective(text: string, field: string): string {
  const objective = parseStorableText(text, { field, maxBytes: LIMITS.taskTextMaxBytes });
  refusePlaceholder(objective, field);
  refuseCredential(objective, field);
  return objective;
}

/** Stops all new turns until an owner resumes. Anybody may pause; a paused goal is already so. */
export async function pauseGoal(
  database: Database,
  request: GoalRequest,
  ambient: Pick<Ambient, "now">,
): Promise<ChangedGoal | Refusal> {
  return changeLoadedGoal(database, request, ambient, async ({ goal, now }) => {
    if (goal.status === "paused") return unchanged(goal);
    if (goal.status !== "active") return refuseStatus(goal, "paused");
    return changed({ type: "goal_paused.v1", image: setStatus(goal, "paused", request.reason, now) });
  });
}

/** Lets a paused, stopped or completed goal go on, with its objective as it is now. Owners only. */
export async function resumeGoal(
  database: Database,
  request: GoalRequest,
  ambient: Pick<Ambient, "now">,
): Promise<ChangedGoal | Refusal> {
  return changeLoadedGoal(database, request, ambient, async ({ goal, now }) => {
    if (goal.status === "active") return unchanged(goal);
    const refused = checkOwner(request.caller.actor, "resume a goal");
    if (refused !== undefined) return refused;
    return changed({ type: "goal_resumed.v1", image: setStatus(goal, "active", request.reason, now) });
  });
}

/** Ends a goal before it is complete. Owners only. */
export async function stopGoal(
  database: Database,
  request: GoalRequest,
  ambient: Pick<Ambient, "now">,
): Promise<ChangedGoal | Refusal> {
  return changeLoadedGoal(database, request, ambient, async ({ goal, now }) => {
    if (goal.status === "stopped") return unchanged(goal);
    const refused = checkOwner(request.caller.actor, "stop a goal");
    if (refused !== undefined) return refused;
    if (goal.status === "completed") return refuseStatus(goal, "stopped");
    return changed({ type: "goal_stopped.v1", image: setStatus(goal, "stopped", request.reason, now) });
  });
}

/** Completes a goal: anybody when nothing is open, an owner also with work open or a paused one. */
export async function completeGoal(
  database: Database,
  request: GoalRequest,
  ambient: Pick<Ambient, "now">,
): Promise<ChangedGoal | Refusal> {
  return changeLoadedGoal(database, request, ambient, async ({ goal, now }, tx) => {
    if (goal.status === "completed") return unchanged(goal);
    if (goal.status === "stopped") return refuseStatus(goal, "completed");
    const isOwner = request.caller.actor.kind === "owner";
    const paused = isOwner ? undefined : checkNotPaused(goal, "only an owner completes it");
    if (paused !== undefined) return paused;
    const openCount = await countLiveTodos(tx, goal.goal_id, "");
    if (openCount > 0 && !isOwner) {
      return refuse("goal_has_open_work", {
        message: `${openCount === 1 ? "one todo is" : `${openCount} todos are`} not finished; only an owner completes a goal with work open`,
        hint: `loopx todo list --goal-id=${goal.goal_id}`,
        details: { open_count: openCount },
      });
    }
    return changed(completeGoalChange(goal, request.reason, now));
  });
}

/** The change that completes a goal. */
export function completeGoalChange(goal: Goal, reason: string | null, now: Instant): Change & { readonly image: Goal } {
  return { type: "goal_completed.v1", image: setStatus(goal, "completed", reason, now) };
}

function setStatus(goal: Goal, status: Goal["status"], reason: string | null, now: Instant): Goal {
  return { ...goal, status, reason, updated_at: now };
}

function refuseStatus(goal: Goal, wanted: string): Refusal {
  return refuse("goal_not_active", {
    message: `the goal is ${goal.status} and cannot be ${wanted}`,
    details: { goal_id: goal.goal_id, status: goal.status },
  });
}

export interface EditGoalRequest extends GoalRequest {
  readonly objective: string;
  /** The revision the editor saw; another one is a conflict. */
  readonly expectRevision: number | null;
}

/**
 * Changes the objective under a new revision. An owner's edit is in force at once; an agent's opens a gate.
 *
 * Refuses with `goal_revision_conflict`, `goal_not_active`, `credential_refused`, `text_too_long`.
 */
export async function editGoal(
  database: Database,
  request: EditGoalRequest,
  ambient: Pick<Ambient, "now" | "newId">,
): Promise<ChangedGoal | Refusal> {
  parseObjective(request.objective, "objective");
  return changeLoadedGoal(database, request, ambient, async ({ goal, now }, tx) => {
    const open = await loadOpenGoal(tx, goal.goal_id);
    if (!open.ok) return open;
    if (request.expectRevision !== null && request.expectRevision !== goal.revision) {
      return refuse("goal_revision_conflict", {
        message: `the goal is at revision ${goal.revision}, not ${request.expectRevision}`,
        hint: `loopx goal show --goal-id=${goal.goal_id}`,
        details: { revision: goal.revision },
      });
    }
    if (goal.objective === request.objective) return unchanged(goal);
    if (request.caller.actor.kind === "owner") return changed(editChange(goal, request.objective, now));
    const proposed = await findOpenProposal(tx, goal.goal_id, request.objective);
    if (proposed !== undefined) return accept<ChangedGoal>({ ok: true, goal, changed: false, gate: proposed });
    const gate = newTodo(
      {
        role: "user",
        task_class: "user_gate",
        text: `May the objective of ${goal.goal_id} change? See loopx gate show for the proposed text.`,
        priority: 0,
        action_kind: null,
        target_key: null,
        depends_on: [],
        resume: null,
        validation: null,
        cadence_ms: null,
        gate: { ...newGate("objective_edit", []), proposed_objective: request.objective, base_revision: goal.revision },
      },
      {
        goal_id: goal.goal_id,
        todo_id: ambient.newId("todo"),
        position: await loadNextPosition(tx, goal.goal_id),
        created_by: renderActor(request.caller.actor),
        now,
      },
    );
    return accept<ChangedGoal>({ ok: true, goal, changed: false, gate }, { type: "todo_added.v1", image: gate });
  });
}

/** The gate that asks for this very text already. */
async function findOpenProposal(tx: Transaction, goalId: string, objective: string): Promise<Todo | undefined> {
  const gates = await listLiveGates(tx, goalId, Number.MAX_SAFE_INTEGER);
  return gates.find((todo) => todo.gate?.kind === "objective_edit" && todo.gate.proposed_objective === objective);
}

/** The change that puts a new objective in force. */
export function editChange(goal: Goal, objective: string, now: Instant): Change & { readonly image: Goal } {
  return {
    type: "goal_edited.v1",
    image: { ...goal, objective, revision: goal.revision + 1, updated_at: now },
  };
}

export interface GoalBudget {
  readonly totalTurns: number | null;
  readonly windowTurns: number | null;
  readonly windowMs: number | null;
}

/**
 * Sets the turn budget. Anybody may tighten it, only an owner loosens it; an exhausted goal goes on once it is raised.
 *
 * Refuses with `gate_needs_owner`, `budget_below_spent`, `invalid_value`.
 */
export async function setGoalBudget(
  database: Database,
  request: GoalRequest & { readonly budget: GoalBudget },
  ambient: Pick<Ambient, "now">,
): Promise<ChangedGoal | Refusal> {
  return changeLoadedGoal(database, request, ambient, async ({ goal, now }, tx) => {
    const { budget } = request;
    const image: Goal = {
      ...goal,
      budget_total_turns: budget.totalTurns,
      budget_window_turns: budget.windowTurns,
      budget_window_ms: budget.windowMs,
      updated_at: now,
    };
    const misfit = checkBudget(budget);
    if (misfit !== undefined) return misfit;
    if (isSameBudget(goal, image)) return unchanged(goal);
    const refused = isLooser(goal, image) ? checkOwner(request.caller.actor, "raise or lift a budget") : undefined;
    if (refused !== undefined) return refused;
    const { total } = await loadTurnUse(tx, goal.goal_id, null);
    if (budget.totalTurns !== null && budget.totalTurns < total) {
      return refuse("budget_below_spent", {
        message: `${total} turns are used already; the total cannot be below that`,
        hint: `to stop new turns at once: loopx goal pause --goal-id=${goal.goal_id}`,
        details: { used_turns: total },
      });
    }
    return changed({ type: "goal_budget_set.v1", image });
  });
}

/** A limit that would hold nothing is refused, not stored. */
function checkBudget({ totalTurns, windowTurns, windowMs }: GoalBudget): Refusal | undefined {
  const isWindowWhole = (windowTurns === null) === (windowMs === null) && windowMs !== 0;
  if (isCountOrNone(totalTurns) && isCountOrNone(windowTurns) && isCountOrNone(windowMs) && isWindowWhole)
    return undefined;
  return refuse("invalid_value", {
    message: "a budget is a whole number of turns, and a limit per window names both the turns and the window",
    details: { field: "budget" },
  });
}

function isCountOrNone(value: number | null): boolean {
  return value === null || (Number.isSafeInteger(value) && value >= 0);
}

function isSameBudget(left: Goal, right: Goal): boolean {
  return (
    left.budget_total_turns === right.budget_total_turns &&
    left.budget_window_turns === right.budget_window_turns &&
    left.budget_window_ms === right.budget_window_ms
  );
}

function orNone(limit: number | null): number {
  return limit ?? Number.POSITIVE_INFINITY;
}

function isLooser(before: Goal, after: Goal): boolean {
  if (orNone(after.budget_total_turns) > orNone(before.budget_total_turns)) return true;
  if (before.budget_window_turns === null) return false;
  if (orNone(after.budget_window_turns) > before.budget_window_turns) return true;
  return (after.budget_window_ms ?? 0) < (before.budget_window_ms ?? 0);
}
