import { refuse, type Ambient, type Instant, type Refusal } from "@loopx/contracts";
import type { Database, Transaction } from "@loopx/store";
import { renderActor } from "../agents/agent.ts";
import { checkOwner, type Caller } from "../agents/check-actor.ts";
import { accept, changeGoal, type Accepted } from "../events/commit-changes.ts";
import type { Change } from "../events/event.ts";
import { checkSeen } from "../events/seen-state.ts";
import { editChange } from "../goals/change-goal.ts";
import type { Goal } from "../goals/goal.ts";
import { loadGoal } from "../goals/load-goal.ts";
import { parseWrittenText } from "../todos/check-todo-text.ts";
import { withoutClaim } from "../todos/claim-todo.ts";
import { findTodo } from "../todos/todo-rows.ts";
import { isTerminal, type Todo } from "../todos/todo.ts";
import type { Gate } from "./gate.ts";

export type GateVerdict = "approve" | "reject" | "defer";

export interface DecideGateRequest {
  readonly goalId: string;
  readonly gateId: string;
  readonly caller: Caller;
  readonly verdict: GateVerdict;
  readonly reason: string | null;
  /** Of `defer`: when to ask again. */
  readonly askAgainAt: Instant | null;
  /** The event up to which the caller saw the gate: a verdict of somebody else since then is refused. */
  readonly expectSeq?: number | undefined;
}

export interface DecidedGate {
  readonly ok: true;
  readonly gate: Todo;
  readonly changed: boolean;
  /** The todos that the verdict blocked or freed. */
  readonly affectedTodoIds: readonly string[];
  /** The goal, when an approved edit changed it. */
  readonly goal: Goal | null;
}

/** What a verdict would change now, decided by the same rules; writes nothing. */
export async function previewGate(
  database: Database,
  request: DecideGateRequest,
  ambient: Pick<Ambient, "now">,
): Promise<DecidedGate | Refusal> {
  const refused = checkRequest(request);
  if (refused !== undefined) return refused;
  const decided = await database.read((tx) => decideRequest(tx, request, ambient.now()));
  return decided.ok ? decided.result : decided;
}

/**
 * Records an owner's verdict on a gate. The same verdict again is already so; an owner may change their mind.
 *
 * Rejecting blocks the todos it names; approving frees what its rejection blocked. An approved objective edit is in
 * force in the same transaction. Refuses with `gate_needs_owner`, `unknown_gate`, and `gate_already_decided` where it changed
 * after the event that the caller saw.
 */
export async function decideGate(
  database: Database,
  request: DecideGateRequest,
  ambient: Pick<Ambient, "now">,
): Promise<DecidedGate | Refusal> {
  const refused = checkRequest(request);
  if (refused !== undefined) return refused;
  const now = ambient.now();
  const context = { goalId: request.goalId, actor: request.caller.actor, now };
  return changeGoal(database, context, (tx) => decideRequest(tx, request, now));
}

function checkRequest({ caller, reason }: DecideGateRequest): Refusal | undefined {
  const refused = checkOwner(caller.actor, "decide a gate");
  if (refused === undefined && reason !== null) parseWrittenText(reason, "reason");
  return refused;
}

async function decideRequest(
  tx: Transaction,
  request: DecideGateRequest,
  now: Instant,
): Promise<Accepted<DecidedGate> | Refusal> {
  const goal = await loadGoal(tx, request.goalId);
  if (!goal.ok) return goal;
  const todo = await findTodo(tx, request.goalId, request.gateId);
  if (todo?.gate == null || todo.status === "superseded") {
    return refuse("unknown_gate", {
      message: "no gate of this goal has this id, or its todo is closed",
      hint: `loopx gate list --goal-id=${request.goalId}`,
      details: { gate_id: request.gateId },
    });
  }
  const seen = { goalId: request.goalId, entity: "todo", entityId: request.gateId, seq: request.expectSeq } as const;
  const changed = await checkSeen(tx, seen, "gate_already_decided");
  if (changed !== undefined) return changed;
  return decideVerdict(tx, { request, goal: goal.goal, gateTodo: todo, gate: todo.gate }, now);
}

interface Deciding {
  readonly request: DecideGateRequest;
  readonly goal: Goal;
  readonly gateTodo: Todo;
  readonly gate: Gate;
}

const DECISIONS = { approve: "approved", reject: "rejected", defer: "deferred" } as const;

async function decideVerdict(
  tx: Transaction,
  deciding: Deciding,
  now: Instant,
): Promise<Accepted<DecidedGate> | Refusal> {
  const { request, goal, gateTodo, gate } = deciding;
  const decision = DECISIONS[request.verdict];
  const isEdit = gate.kind === "objective_edit";
  const isSaid = request.reason === null || request.reason === gateTodo.reason;
  if (gate.decision === decision && decision !== "deferred" && isSaid) {
    return accept<DecidedGate>({ ok: true, gate: gateTodo, changed: false, affectedTodoIds: [], goal: null });
  }
  if (isEdit && gate.decision === "approved") {
    return refuse("gate_already_decided", {
      message: "the edit is in force; edit the goal again to take it back",
      hint: `loopx goal edit --goal-id=${goal.goal_id} '--objective=<text>'`,
    });
  }
  if (isEdit && request.verdict === "approve" && gate.base_revision !== goal.revision) {
    return refuse("goal_revision_conflict", {
      message: `the edit was proposed for revision ${gate.base_revision ?? "unknown"} and the goal is at ${goal.revision}`,
      hint: `loopx gate decide --goal-id=${goal.goal_id} --gate-id=${gateTodo.todo_id} --decision=reject`,
      details: { base_revision: gate.base_revision, revision: goal.revision },
    });
  }
  const image: Todo = {
    ...gateTodo,
    status: statusAfter(request.verdict, isEdit),
    reason: request.reason,
    completed_at: request.verdict === "approve" ? now : null,
    // One that was archived as decided is live again.
    archived_at: null,
    updated_at: now,
    gate: {
      ...gate,
      decision,
      decided_by: renderActor(request.caller.actor),
      decided_at: now,
      ask_again_at: request.verdict === "defer" ? request.askAgainAt : null,
    },
  };
  const changes: Change[] = [{ type: "gate_decided.v1", image }];
  const affected = await planAffected(tx, deciding, now);
  changes.push(...affected.map((todo) => ({ type: "todo_updated.v1" as const, image: todo })));
  const edited =
    isEdit && request.verdict === "approve" && gate.proposed_objective !== null
      ? editChange(goal, gate.proposed_objective, now)
      : null;
  if (edited !== null) changes.push(edited);
  return accept<DecidedGate>(
    {
      ok: true,
      gate: image,
      changed: true,
      affectedTodoIds: affected.map((todo) => todo.todo_id),
      goal: edited === null ? null : edited.image,
    },
    ...changes,
  );
}

/** A rejected gate stays live, since it still holds what it names; a rejected edit has nothing left to hold. */
function statusAfter(verdict: GateVerdict, isEdit: boolean): Todo["status"] {
  if (verdict === "approve") return "done";
  if (verdict === "defer") return "deferred";
  return isEdit ? "done" : "blocked";
}

async function planAffected(tx: Transaction, deciding: Deciding, now: Instant): Promise<readonly Todo[]> {
  const { request, goal, gate, gateTodo } = deciding;
  const affected: Todo[] = [];
  const decidedBy = renderActor(request.caller.actor);
  const marker = `gate ${gateTodo.todo_id} was rejected`;
  for (const target of gate.blocks) {
    const todo = target.startsWith("todo_") ? await findTodo(tx, goal.goal_id, target) : undefined;
    if (todo === undefined || isTerminal(todo)) continue;
    if (request.verdict === "reject" && todo.status !== "blocked") {
      affected.push({ ...withoutClaim(todo), status: "blocked", reason: marker, held_by: decidedBy, updated_at: now });
    }
    if (request.verdict === "approve" && todo.status === "blocked" && todo.reason === marker) {
      // The rejection left the resume condition in place: what was put off is put off again.
      const status = todo.resume === null ? "open" : "deferred";
      affected.push({ ...todo, status, reason: null, held_by: status === "open" ? null : decidedBy, updated_at: now });
    }
  }
  return affected;
}
