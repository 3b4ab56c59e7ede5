import { addMs, refuse, type Ambient, type Instant, type Refusal } from "@loopx/contracts";
import { LoopxError } from "@loopx/contracts";
import type { Database, Transaction } from "@loopx/store";
import type { Actor } from "../agents/agent.ts";
import { findAgent } from "../agents/agent-rows.ts";
import type { ContextFact } from "../decision/context-fact.ts";
import { decideNext } from "../decision/decide-next.ts";
import type { DecidedNext, Decision, DecisionFacts } from "../decision/decision.ts";
import { hasWrittenTodoSince, loadDecisionFacts } from "../decision/load-decision-facts.ts";
import { commitChanges } from "../events/commit-changes.ts";
import type { Change } from "../events/event.ts";
import { findGoal } from "../goals/goal-rows.ts";
import type { Goal } from "../goals/goal.ts";
import { listAnswers } from "../gates/gate-answers.ts";
import { listOpenActions } from "../todos/todo-queries.ts";
import { countLiveTodos, findTodo } from "../todos/todo-rows.ts";
import type { Todo } from "../todos/todo.ts";
import { isThreadVerifiedFor } from "../threads/verified-thread.ts";
import { REPLAN, type Turn } from "./turn.ts";

export interface NextTurnRequest {
  readonly goalId: string;
  readonly agentId: string;
  /** `--turn`: proves that the caller holds it. */
  readonly turnId: string | null;
  /** The host thread that asks, when known: labels the holder. */
  readonly threadId: string | null;
  /** The driver that asks, which has no thread: labels the holder in its place. */
  readonly driverId?: string;
  readonly leaseTtlMs: number;
  /** What was fetched, where context was asked for. */
  readonly context?: ContextFact;
}

/** What `quota should-run` found and did, before rendering. */
export interface NextTurn {
  readonly ok: true;
  readonly goal: Goal;
  readonly decision: Decision;
  /** The turn that runs or is in the way. */
  readonly turn: Turn | null;
  readonly hasEvidence: boolean;
  /** Of a replan turn that is resumed: whether the agent has written a todo in it. */
  readonly hasPlanned: boolean;
  /** The selected todo, in full. */
  readonly todo: Todo | null;
  /** Whether no other work of an agent is left besides the selected todo. */
  readonly isLastWork: boolean;
  /** Of a replan: whether anything is open, such as what only an owner can do. */
  readonly hasOpenTodos: boolean;
  /** Decided gates whose reason the agent should know: those over the selected todo, and the latest over everything. */
  readonly answers: readonly Todo[];
  /** The todos that an `ask_user` names, gates and others, in full. */
  readonly asked: readonly Todo[];
  /** A turn of this agent that this very call released uncharged. */
  readonly releasedTurnId: string | null;
}

/**
 * Answers what the agent may do next and, for `run` and `replan`, opens or resumes its turn in the same transaction.
 *
 * The turn, the claim of its todo and the reservation of one turn of the budget are one commit: twenty processes
 * that ask at once with one identity get one turn. On a store that cannot be written the answer is computed all the
 * same; one that would have to open a turn is refused with `store_read_only`.
 * Refuses with `unknown_goal`, `unknown_agent`, `binding_not_verified`.
 */
export async function askNextTurn(
  database: Database,
  request: NextTurnRequest,
  ambient: Pick<Ambient, "now" | "newId">,
): Promise<NextTurn | Refusal> {
  const now = ambient.now();
  const answer = async (tx: Transaction): Promise<NextTurn | Refusal> => {
    const loaded = await loadAskedFacts(tx, request, now);
    if (!loaded.ok) return loaded;
    const { facts } = loaded;
    const next = await planNextTurn(tx, { request, facts, newTurnId: () => ambient.newId("turn") }, now);
    const changes = next.changes;
    if (changes.length > 0 || next.renewal !== null) {
      if (!database.isWritable) return readOnlyAnswer(next.answer);
      const actor: Actor = { kind: "agent", agent_id: request.agentId };
      await commitChanges(tx, { goalId: request.goalId, actor, now }, changes);
      if (next.renewal !== null) await renewLease(tx, next.renewal);
    }
    return next.answer;
  };
  return database.isWritable ? database.write(answer) : database.read(answer);
}

/** What the answer to a request is made from. Refuses as `askNextTurn` does. */
export async function loadAskedFacts(
  tx: Transaction,
  request: NextTurnRequest,
  now: Instant,
): Promise<{ readonly ok: true; readonly facts: DecisionFacts } | Refusal> {
  const goal = await findGoal(tx, request.goalId);
  if (goal === undefined) return refuse("unknown_goal", { message: "no goal has this id in this project" });
  const refused = await checkCaller(tx, request);
  if (refused !== undefined) return refused;
  const holder = { turnId: request.turnId, label: labelOf(request) };
  const facts = await loadDecisionFacts(tx, goal, { agentId: request.agentId, holder }, now);
  return { ok: true, facts: { ...facts, context: request.context ?? null } };
}

function labelOf({ driverId, threadId }: NextTurnRequest): string | null {
  return driverId ?? threadId;
}

/** What needs no turn is answered as it is; a turn cannot be opened without writing. */
function readOnlyAnswer(answer: NextTurn): NextTurn {
  if (answer.decision.kind !== "run" && answer.decision.kind !== "replan") return { ...answer, releasedTurnId: null };
  throw new LoopxError("store_read_only", {
    message: "the project's store can be read but not written, so no turn can be opened",
    hint: "let this process write to the project's .loopx directory, then ask again",
  });
}

async function checkCaller(tx: Transaction, request: NextTurnRequest): Promise<Refusal | undefined> {
  if ((await findAgent(tx, request.goalId, request.agentId)) === undefined) {
    return refuse("unknown_agent", { message: "the agent is not registered in this goal" });
  }
  if (request.threadId === null) return undefined;
  const thread = { threadId: request.threadId, agentId: request.agentId };
  if (await isThreadVerifiedFor(tx, request.goalId, thread)) return undefined;
  return refuse("binding_not_verified", {
    message: "no verified binding of this thread names this agent",
    details: { thread_id: request.threadId, agent_id: request.agentId },
  });
}

interface Plan {
  readonly answer: NextTurn;
  readonly changes: readonly Change[];
  readonly renewal: Renewal | null;
}

interface Planning {
  readonly request: NextTurnRequest;
  readonly facts: DecisionFacts;
  readonly newTurnId: () => string;
}

async function planNextTurn(tx: Transaction, planning: Planning, now: Instant): Promise<Plan> {
  const { facts } = planning;
  const decided = decideNext(facts, now);
  const { decision } = decided;
  const ended = endOpenTurn(facts, decided, now);
  const answer: NextTurn = {
    ok: true,
    goal: facts.goal,
    decision,
    turn: facts.openTurn,
    hasEvidence: facts.openTurnHasEvidence,
    hasPlanned:
      decision.kind === "replan" && facts.openTurn !== null && (await hasWrittenTodoSince(tx, facts.openTurn)),
    todo: null,
    isLastWork: decision.kind === "run" && isLastWork(facts, decision.todoId),
    hasOpenTodos: decision.kind === "replan" && (await countLiveTodos(tx, facts.goal.goal_id, "")) > 0,
    answers: decision.kind === "run" ? await listAnswers(tx, facts, decision.todoId) : [],
    asked: decision.kind === "ask_user" ? await loadAsked(tx, facts.goal.goal_id, decision) : [],
    releasedTurnId: decided.endsOpenTurn === "released" ? (facts.openTurn?.turn_id ?? null) : null,
  };
  if (decision.kind !== "run" && decision.kind !== "replan") {
    const isKept = isHeldByContext(decision) && facts.openTurn !== null && decided.endsOpenTurn === null;
    return { answer, changes: ended, renewal: isKept ? planRenewal(planning, facts.openTurn.todo_id, now) : null };
  }
  const todo = decision.kind === "run" ? ((await findTodo(tx, facts.goal.goal_id, decision.todoId)) ?? null) : null;
  if (decision.turn === "resume") {
    const renewal = planRenewal(planning, todo?.todo_id ?? null, now);
    const turn = facts.openTurn && renewal ? { ...facts.openTurn, lease_expires_at: renewal.until } : facts.openTurn;
    return { answer: { ...answer, todo, turn }, changes: ended, renewal };
  }
  const epoch = decision.kind === "run" ? decision.epoch : 0;
  const opened = openTurn(planning, { todo, epoch }, now);
  return {
    answer: { ...answer, todo: opened.todo, turn: opened.turn, hasEvidence: false },
    changes: [...ended, ...opened.changes],
    renewal: null,
  };
}

/** Whoever waits for facts keeps the turn that goes on with them. */
function isHeldByContext(decision: Decision): boolean {
  return "reason" in decision && (decision.reason === "context_blocked" || decision.reason === "context_outdated");
}

function endOpenTurn(facts: DecisionFacts, decided: DecidedNext, now: Instant): readonly Change[] {
  if (facts.openTurn === null || decided.endsOpenTurn === null) return [];
  if (decided.endsOpenTurn === "lapsed") {
    return [{ type: "turn_lapsed.v1", image: { ...facts.openTurn, state: "lapsed" } }];
  }
  return [{ type: "turn_released.v1", image: { ...facts.openTurn, state: "released", closed_at: now } }];
}

function isLastWork(facts: DecisionFacts, todoId: string): boolean {
  return facts.todos.every((todo) => todo.role !== "agent" || (todo.todo_id === todoId && todo.left_out === 0));
}

/** Where planning has brought nothing, what waits for an owner is all there is to ask about. */
async function loadAsked(
  tx: Transaction,
  goalId: string,
  decision: Extract<Decision, { readonly kind: "ask_user" }>,
): Promise<readonly Todo[]> {
  if (decision.reason === "replan_exhausted") return listOpenActions(tx, goalId, ASKED_SHOWN);
  const asked: Todo[] = [];
  for (const todoId of decision.todoIds.slice(0, ASKED_SHOWN)) {
    const todo = await findTodo(tx, goalId, todoId);
    if (todo !== undefined) asked.push(todo);
  }
  return asked;
}

/** Questions loaded in full; a packet shows fewer still and counts the rest. */
const ASKED_SHOWN = 5;

interface Opened {
  readonly turn: Turn;
  readonly todo: Todo | null;
  readonly changes: readonly Change[];
}

function openTurn(planning: Planning, work: { todo: Todo | null; epoch: number }, now: Instant): Opened {
  const { request, facts } = planning;
  const until = addMs(now, request.leaseTtlMs);
  const turn: Turn = {
    goal_id: facts.goal.goal_id,
    turn_id: planning.newTurnId(),
    agent_id: request.agentId,
    todo_id: work.todo?.todo_id ?? REPLAN,
    state: "open",
    holder: labelOf(request),
    claim_epoch: work.epoch,
    lease_expires_at: until,
    opened_at: now,
    closed_at: null,
  };
  const opens: Change = { type: "turn_opened.v1", image: turn };
  if (work.todo === null) return { turn, todo: null, changes: [opens] };
  const claimed: Todo = {
    ...work.todo,
    status: "open",
    resume: null,
    held_by: null,
    claimed_by: request.agentId,
    claim_epoch: work.epoch,
    claim_expires_at: until,
    updated_at: now,
  };
  return { turn, todo: claimed, changes: [{ type: "todo_claimed.v1", image: claimed }, opens] };
}

interface Renewal {
  readonly turn: Turn;
  readonly todoId: string | null;
  readonly until: Instant;
}

/** A lease is extended once half of it is gone, so a poll seldom writes. */
function planRenewal(planning: Planning, todoId: string | null, now: Instant): Renewal | null {
  const turn = planning.facts.openTurn;
  const { leaseTtlMs } = planning.request;
  if (turn === null || turn.lease_expires_at > addMs(now, leaseTtlMs / 2)) return null;
  return { turn, todoId, until: addMs(now, leaseTtlMs) };
}

/** Leases are renewed in place: renewal is activity, not an event. */
async function renewLease(tx: Transaction, renewal: Renewal): Promise<void> {
  const { turn, todoId, until } = renewal;
  await tx.run(
    "UPDATE turns SET lease_expires_at = ? WHERE goal_id = ? AND turn_id = ?",
    until,
    turn.goal_id,
    turn.turn_id,
  );
  if (todoId === null) return;
  await tx.run("UPDATE todos SET claim_expires_at = ? WHERE goal_id = ? AND todo_id = ?", until, turn.goal_id, todoId);
}
