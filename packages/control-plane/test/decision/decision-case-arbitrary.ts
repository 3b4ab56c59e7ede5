import { addMs, type Instant } from "@loopx/contracts";
import * as fc from "fast-check";
import {
  GATE_KINDS,
  RESTRICTED_ACTION_KINDS,
  type CandidateTodo,
  type DecisionFacts,
  type GateFact,
  type Goal,
  type Turn,
} from "../../src/index.ts";

export interface DecisionCase {
  readonly facts: DecisionFacts;
  readonly now: Instant;
}

const NOON = "2026-03-01T12:00:00.000Z" as Instant;
const HOUR_MS = 3_600_000;

/** Moments around the clock, and the clock itself: limits are where guards go wrong. */
const moment = fc.constantFrom(-48, -2, -0.5, 0, 1 / HOUR_MS, 0.5, 3).map((hours) => addMs(NOON, hours * HOUR_MS));
const orNull = <Value>(value: fc.Arbitrary<Value>, weight = 1): fc.Arbitrary<Value | null> =>
  fc.oneof({ weight: 1, arbitrary: fc.constant(null) }, { weight, arbitrary: value });

function oneOf<Value>(...weighted: readonly (readonly [number, Value])[]): fc.Arbitrary<Value> {
  return fc.oneof(...weighted.map(([weight, value]) => ({ weight, arbitrary: fc.constant(value) })));
}

const todoIds = ["todo_000001", "todo_000002", "todo_000003", "todo_000004", "todo_000005"] as const;
const todoId = fc.constantFrom(...todoIds);

const resume = fc.oneof(
  fc.constant("manual"),
  moment.map((at) => `after:${at}`),
  todoId.map((id) => `todo_done:${id}`),
  fc.constant("todo_done:todo_999999"),
);

const roleAndClass = oneOf(
  [12, ["agent", "advancement_task"] as const],
  [4, ["agent", "monitor"] as const],
  [3, ["user", "user_action"] as const],
);

function todoArbitrary(id: string, position: number): fc.Arbitrary<CandidateTodo> {
  return fc
    .record({
      kind: roleAndClass,
      status: oneOf([10, "open"], [2, "blocked"], [4, "deferred"]) as fc.Arbitrary<CandidateTodo["status"]>,
      priority: fc.integer({ min: 0, max: 4 }),
      action_kind: fc.oneof(
        { weight: 4, arbitrary: fc.constant(null) },
        { weight: 1, arbitrary: fc.constantFrom(...RESTRICTED_ACTION_KINDS) },
        { weight: 1, arbitrary: fc.constant("fix") },
      ),
      claim: oneOf([5, null], [2, "a1"], [2, "a2"]),
      claim_epoch: fc.integer({ min: 0, max: 3 }),
      claim_expires_at: moment,
      resume,
      due_at: orNull(moment, 2),
      unmet: oneOf([6, false], [2, true]),
      unmet_dependencies: fc.uniqueArray(todoId, { minLength: 1, maxLength: 2 }),
      left_out: oneOf([9, 0], [1, 3]),
    })
    .map(({ kind: [role, taskClass], claim, unmet, ...todo }) => ({
      todo_id: id,
      role,
      task_class: taskClass,
      status: todo.status,
      priority: todo.priority,
      position,
      action_kind: role === "agent" ? todo.action_kind : null,
      claimed_by: claim,
      claim_epoch: todo.claim_epoch,
      claim_expires_at: claim === null ? null : todo.claim_expires_at,
      resume: todo.status === "deferred" ? todo.resume : null,
      due_at: taskClass === "monitor" ? todo.due_at : null,
      unmet_dependencies: unmet ? todo.unmet_dependencies.filter((other) => other !== id) : [],
      left_out: todo.left_out,
    }));
}

const todos = fc
  .tuple(
    oneOf([2, 0], [2, 1], [2, 2], [2, 3], [2, 4], [1, 5]),
    fc.shuffledSubarray([...todoIds], { minLength: 5 }),
    fc.tuple(
      todoArbitrary("todo_000001", 10),
      todoArbitrary("todo_000002", 20),
      todoArbitrary("todo_000003", 30),
      todoArbitrary("todo_000004", 40),
      todoArbitrary("todo_000005", 50),
    ),
  )
  .map(([count, order, all]) => {
    const kept = order.slice(0, count);
    return all.filter((todo) => kept.includes(todo.todo_id as (typeof todoIds)[number]));
  });

const blocks = fc.oneof(
  { weight: 1, arbitrary: fc.constant(["goal"]) },
  { weight: 1, arbitrary: fc.constant(["agent:a1"]) },
  { weight: 1, arbitrary: fc.constant(["agent:a2"]) },
  { weight: 8, arbitrary: fc.uniqueArray(todoId, { minLength: 0, maxLength: 2 }) },
);

function gateArbitrary(id: string): fc.Arbitrary<GateFact> {
  return fc
    .record({
      kind: fc.constantFrom(...GATE_KINDS),
      blocks,
      decision: oneOf([2, null], [5, "approved"], [2, "rejected"], [2, "deferred"]),
      ask_again_at: orNull(moment, 2),
      left_out: oneOf([4, 0], [1, 2]),
    })
    .map((gate) => ({
      ...gate,
      todo_id: id,
      decision: gate.decision as GateFact["decision"],
      ask_again_at: gate.decision === "deferred" ? gate.ask_again_at : null,
      names_work: false,
    }));
}

const gates = fc
  .tuple(
    oneOf([8, 0], [3, 1], [2, 2], [1, 3]),
    fc.tuple(gateArbitrary("todo_gate01"), gateArbitrary("todo_gate02"), gateArbitrary("todo_gate03")),
  )
  .map(([count, all]) => all.slice(0, count));

const goal: fc.Arbitrary<Goal> = fc
  .record({
    status: oneOf([20, "active"], [2, "paused"], [1, "completed"], [1, "stopped"]) as fc.Arbitrary<Goal["status"]>,
    total: orNull(fc.integer({ min: 0, max: 4 }), 1),
    window: orNull(fc.integer({ min: 0, max: 4 }), 1),
    windowMs: fc.constantFrom(HOUR_MS, 24 * HOUR_MS),
  })
  .map(({ status, total, window, windowMs }) => ({
    goal_id: "repo-goal",
    objective: "make it work",
    status,
    revision: 1,
    budget_total_turns: total,
    budget_window_turns: window,
    budget_window_ms: window === null ? null : windowMs,
    reason: null,
    created_at: NOON,
    updated_at: NOON,
  }));

const holder = fc.record({
  turnId: oneOf([4, null], [2, "turn_000001"], [1, "turn_999999"]),
  label: oneOf([3, null], [3, "thread-1"], [1, "thread-2"]),
});

const openTurn: fc.Arbitrary<Turn | null> = orNull(
  fc.record({
    goal_id: fc.constant("repo-goal"),
    turn_id: fc.constant("turn_000001"),
    agent_id: fc.constant("a1"),
    todo_id: fc.oneof({ weight: 6, arbitrary: todoId }, { weight: 1, arbitrary: fc.constant("replan") }),
    state: fc.constant("open" as const),
    holder: oneOf([2, null], [3, "thread-1"]),
    claim_epoch: fc.integer({ min: 0, max: 2 }),
    lease_expires_at: moment,
    opened_at: moment.filter((at) => at < NOON),
    closed_at: fc.constant(null),
  }),
  1,
);

/**
 * Facts of every kind, and a clock.
 *
 * Where an open turn has its todo at hand, it mostly runs under that todo's claim, as it does in life.
 */
export const decisionCase: fc.Arbitrary<DecisionCase> = fc
  .record({
    goal,
    holder,
    openTurn,
    turnFits: oneOf([4, true], [1, false]),
    openTurnHasEvidence: fc.boolean(),
    goneStatus: fc.constantFrom("done", "superseded") as fc.Arbitrary<CandidateTodo["status"]>,
    releasedInARow: oneOf([8, 0], [3, 1], [3, 2], [1, 3]),
    replansInARow: oneOf([4, 0], [2, 1], [2, 2], [1, 3]),
    turnsUsed: fc.integer({ min: 0, max: 4 }),
    turnsUsedInWindow: fc.integer({ min: 0, max: 4 }),
    oldestInWindowAt: moment.filter((at) => at < NOON),
    todos,
    doneTodoIds: fc.uniqueArray(fc.constantFrom(...todoIds, "todo_999999"), { maxLength: 3 }),
    gates,
    context: orNull(
      fc.record({
        todoId: fc.oneof({ weight: 2, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: todoId }),
        state: fc.constantFrom("absent", "usable", "usable", "blocked", "blocked_for_owner"),
      }),
    ),
    now: oneOf([4, NOON], [1, addMs(NOON, 1)]),
  })
  .map(({ now, turnFits, goneStatus, ...drawn }) => {
    const worked = drawn.todos.find((todo) => todo.todo_id === drawn.openTurn?.todo_id);
    // No turn is ever opened for a person's todo.
    const turn =
      drawn.openTurn !== null && worked?.role === "user"
        ? { ...drawn.openTurn, todo_id: "todo_888888" }
        : drawn.openTurn;
    const claim = {
      claimed_by: "a1",
      claim_epoch: turn?.claim_epoch ?? 0,
      claim_expires_at: turn?.lease_expires_at ?? null,
    };
    const isFitting = turnFits && worked !== undefined;
    const listed = drawn.todos.map((todo) => (isFitting && todo === worked ? { ...todo, ...claim } : todo));
    const stored = listed.find((todo) => todo.todo_id === turn?.todo_id);
    return {
      now,
      facts: {
        goal: drawn.goal,
        agentId: "a1",
        holder: drawn.holder,
        openTurn: turn,
        openTurnHasEvidence: turn !== null && drawn.openTurnHasEvidence,
        openTurnTodo: findStored(turn, stored, goneStatus),
        releasedInARow: drawn.releasedInARow,
        replansInARow: drawn.replansInARow,
        turnsUsed: drawn.turnsUsed + (turn === null ? 0 : 1),
        turnsUsedInWindow: drawn.turnsUsedInWindow,
        oldestInWindowAt: drawn.turnsUsedInWindow === 0 ? null : drawn.oldestInWindowAt,
        todos: listed,
        doneTodoIds: new Set(drawn.doneTodoIds),
        context: drawn.context,
        gates: drawn.gates.map((gate) => ({
          ...gate,
          names_work: listed.some((todo) => todo.role === "agent" && gate.blocks.includes(todo.todo_id)),
        })),
      },
    };
  });

function findStored(
  turn: Turn | null,
  stored: CandidateTodo | undefined,
  goneStatus: CandidateTodo["status"],
): DecisionFacts["openTurnTodo"] {
  if (turn === null || turn.todo_id === "replan") return null;
  if (stored === undefined) return { status: goneStatus, claimed_by: "a1", claim_epoch: turn.claim_epoch };
  return { status: stored.status, claimed_by: stored.claimed_by, claim_epoch: stored.claim_epoch };
}
