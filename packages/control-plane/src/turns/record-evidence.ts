import { addMs, refuse, type Ambient, type Instant, type Refusal } from "@loopx/contracts";
import type { Database, Transaction } from "@loopx/store";
import { renderActor } from "../agents/agent.ts";
import { checkCaller, checkOwnTurn, type Caller } from "../agents/check-actor.ts";
import { hasWrittenTodoSince } from "../decision/load-decision-facts.ts";
import { accept, changeGoal, type Accepted } from "../events/commit-changes.ts";
import type { Change } from "../events/event.ts";
import { loadGoal } from "../goals/load-goal.ts";
import { refuseUnknownTodo } from "../todos/add-todo.ts";
import { parseWrittenText } from "../todos/check-todo-text.ts";
import { withoutClaim } from "../todos/claim-todo.ts";
import { findTodo } from "../todos/todo-rows.ts";
import type { Todo } from "../todos/todo.ts";
import { checkShown, describeShownFiles } from "./check-shown.ts";
import { extendLease } from "./renew-turn.ts";
import { findEvidenceOfTurn, findTurn } from "./turn-rows.ts";
import {
  renderSettlementIdentity,
  REPLAN,
  type Evidence,
  type EvidenceFile,
  type EvidenceOutcome,
  type Turn,
  type ValidationResult,
} from "./turn.ts";

export interface EvidenceRequest {
  readonly goalId: string;
  readonly caller: Caller;
  readonly agentId: string;
  readonly turnId: string | null;
  readonly todoId: string | null;
  readonly outcome: EvidenceOutcome;
  readonly text: string;
  readonly files: readonly EvidenceFile[];
  readonly validation: ValidationResult | null;
  readonly leaseTtlMs: number;
}

export interface RecordedEvidence {
  readonly ok: true;
  readonly evidence: Evidence;
  readonly alreadyRecorded: boolean;
  readonly settlementIdentity: string | null;
}

/**
 * Records what a turn has to show; once per turn, a repeat answers the first record.
 *
 * Outcome `blocked` also blocks the turn's todo, with the text or the names of the files as its reason. Evidence of a replan turn is the todos
 * it wrote: `progress` without one is refused. Without a turn it is a note of the agent's.
 * Refuses with `unknown_turn`, `lease_lost`, `turn_already_settled`, `turn_not_held`, `evidence_required`.
 */
export async function recordEvidence(
  database: Database,
  request: EvidenceRequest,
  ambient: Pick<Ambient, "now" | "newId">,
): Promise<RecordedEvidence | Refusal> {
  if (request.text !== "") parseWrittenText(request.text, "evidence");
  checkShown(request);
  const now = ambient.now();
  return changeGoal(database, { goalId: request.goalId, actor: request.caller.actor, now }, async (tx) => {
    const goal = await loadGoal(tx, request.goalId);
    if (!goal.ok) return goal;
    const refused = (await checkCaller(tx, request.goalId, request.caller)) ?? checkOwnTurn(request);
    if (refused !== undefined) return refused;
    if (request.text === "" && request.files.length === 0) return refuseEmptyEvidence();
    if (request.turnId === null) return noteEvidence(tx, { request, evidenceId: ambient.newId("evidence") }, now);
    const turn = await findTurn(tx, request.goalId, request.turnId);
    if (turn === undefined) return refuseUnknownTurn(request.turnId);
    const existing = await findEvidenceOfTurn(tx, request.goalId, turn.turn_id);
    if (existing !== undefined && turn.agent_id === request.agentId) {
      if (!isSameEvidence(existing, request)) return refuseOtherEvidence(turn);
      const settlementIdentity = renderSettlementIdentity(turn);
      return accept<RecordedEvidence>({ ok: true, evidence: existing, alreadyRecorded: true, settlementIdentity });
    }
    const unfit = await checkTurnTakesEvidence(tx, turn, request);
    if (unfit !== undefined) return unfit;
    return decideTurnEvidence(tx, { request, turn, evidenceId: ambient.newId("evidence") }, now);
  });
}

function isSameEvidence(existing: Evidence, request: EvidenceRequest): boolean {
  return (
    existing.text === request.text &&
    existing.outcome === request.outcome &&
    JSON.stringify(existing.files) === JSON.stringify(request.files)
  );
}

/** A turn takes one record; another one is said to be lost, never dropped in silence. */
function refuseOtherEvidence(turn: Turn): Refusal {
  if (turn.state === "settled") return refuseSettled();
  return refuse("evidence_already_recorded", {
    message: "the turn has its evidence already; what was sent now was not recorded",
    hint: `loopx quota spend --goal-id=${turn.goal_id} --agent-id=${turn.agent_id} --turn=${turn.turn_id}`,
    details: { turn_id: turn.turn_id },
  });
}

function refuseSettled(): Refusal {
  return refuse("turn_already_settled", { message: "the turn is settled and takes no more evidence" });
}

function refuseEmptyEvidence(): Refusal {
  return refuse("evidence_required", {
    message: "evidence needs a text or a file",
    hint: "add --evidence='what was done and how it was checked' or --evidence-file=PATH",
  });
}

export function refuseUnknownTurn(turnId: string): Refusal {
  return refuse("unknown_turn", { message: "no turn of this goal has this id", details: { turn_id: turnId } });
}

export function refuseLostLease(turn: Turn): Refusal {
  return refuse("lease_lost", {
    message: "the turn no longer holds its todo: its lease ended and nothing it writes now counts",
    hint: `loopx quota should-run --goal-id=${turn.goal_id} --agent-id=${turn.agent_id}`,
    details: { turn_id: turn.turn_id, turn_state: turn.state },
  });
}

async function checkTurnTakesEvidence(
  tx: Transaction,
  turn: Turn,
  request: EvidenceRequest,
): Promise<Refusal | undefined> {
  if (turn.agent_id !== request.agentId) {
    return refuse("turn_not_held", {
      message: "the turn belongs to another agent",
      details: { turn_id: turn.turn_id },
    });
  }
  if (turn.state === "released") return refuseLostLease(turn);
  if (turn.state === "settled") {
    return refuseSettled();
  }
  if (request.todoId !== null && request.todoId !== turn.todo_id) {
    return refuse("invalid_value", {
      message: "the turn is for another todo",
      details: { field: "todo_id", expected: turn.todo_id },
    });
  }
  if (turn.todo_id === REPLAN) return checkReplanEvidence(tx, turn, request);
  const todo = await findTodo(tx, turn.goal_id, turn.todo_id);
  const isStillHeld = todo?.claim_epoch === turn.claim_epoch;
  return isStillHeld ? undefined : refuseLostLease(turn);
}

async function checkReplanEvidence(
  tx: Transaction,
  turn: Turn,
  request: EvidenceRequest,
): Promise<Refusal | undefined> {
  if (request.outcome === "no_change" || request.outcome === "blocked") return undefined;
  if (await hasWrittenTodoSince(tx, turn)) return undefined;
  return refuse("evidence_required", {
    message: "a replan turn shows the todos it wrote, and none was written yet",
    hint: `loopx todo add --goal-id=${turn.goal_id} --role=agent '--text=<todo text>' --agent-id=${turn.agent_id}`,
    details: { turn_id: turn.turn_id },
  });
}

interface Recording {
  readonly request: EvidenceRequest;
  readonly turn: Turn;
  readonly evidenceId: string;
}

async function decideTurnEvidence(
  tx: Transaction,
  { request, turn, evidenceId }: Recording,
  now: Instant,
): Promise<Accepted<RecordedEvidence>> {
  const evidence = newEvidence(request, { evidenceId, todoId: turn.todo_id, turnId: turn.turn_id }, now);
  const changes: Change[] = [{ type: "evidence_recorded.v1", image: evidence }];
  const todo = turn.todo_id === REPLAN ? undefined : await findTodo(tx, turn.goal_id, turn.todo_id);
  if (todo?.status === "open" && request.outcome === "blocked") {
    const reason = request.text === "" ? describeShownFiles(request.files) : request.text;
    changes.push({
      type: "todo_updated.v1",
      image: blockTodo(todo, { reason, blockedBy: renderActor(request.caller.actor) }, now),
    });
  } else if (todo?.status === "open" && turn.state === "open") {
    // Showing evidence is activity: the claim lasts on.
    await extendLease(tx, turn, addMs(now, request.leaseTtlMs));
  }
  const settlementIdentity = renderSettlementIdentity(turn);
  return accept<RecordedEvidence>({ ok: true, evidence, alreadyRecorded: false, settlementIdentity }, ...changes);
}

function blockTodo(todo: Todo, { reason, blockedBy }: { reason: string; blockedBy: string }, now: Instant): Todo {
  return { ...withoutClaim(todo), status: "blocked", reason, held_by: blockedBy, updated_at: now };
}

async function noteEvidence(
  tx: Transaction,
  { request, evidenceId }: { readonly request: EvidenceRequest; readonly evidenceId: string },
  now: Instant,
): Promise<Accepted<RecordedEvidence> | Refusal> {
  if (request.todoId !== null && (await findTodo(tx, request.goalId, request.todoId)) === undefined) {
    return refuseUnknownTodo(request.todoId);
  }
  const evidence = newEvidence(request, { evidenceId, todoId: request.todoId, turnId: null }, now);
  return accept<RecordedEvidence>(
    { ok: true, evidence, alreadyRecorded: false, settlementIdentity: null },
    { type: "evidence_recorded.v1", image: evidence },
  );
}

function newEvidence(
  request: EvidenceRequest,
  identity: { readonly evidenceId: string; readonly todoId: string | null; readonly turnId: string | null },
  now: Instant,
): Evidence {
  return {
    goal_id: request.goalId,
    evidence_id: identity.evidenceId,
    agent_id: request.agentId,
    todo_id: identity.todoId,
    turn_id: identity.turnId,
    outcome: request.outcome,
    text: request.text,
    files: request.files,
    validation: request.validation,
    recorded_at: now,
  };
}
