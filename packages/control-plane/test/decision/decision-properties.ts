import { addMs, type Instant } from "@loopx/contracts";
import type { CandidateTodo, DecidedNext, DecisionFacts } from "../../src/index.ts";
import type { DecisionCase } from "./decision-case-arbitrary.ts";
import { decideNaively } from "./decision-oracle.ts";

export type Decide = (facts: DecisionFacts, now: Instant) => DecidedNext;

/** A claim about every decision; false is a fault. */
export type DecisionProperty = (decide: Decide, given: DecisionCase) => boolean;

/** Looks at the todo that a `run` names; a decision that runs nothing is fine. */
function ofEveryRun(isFine: (todo: CandidateTodo, given: DecisionCase) => boolean): DecisionProperty {
  return (decide, given) => {
    const { decision } = decide(given.facts, given.now);
    if (decision.kind !== "run") return true;
    const todo = given.facts.todos.find((each) => each.todo_id === decision.todoId);
    return todo !== undefined && isFine(todo, given);
  };
}

function opensTurn({ decision }: DecidedNext): boolean {
  return (decision.kind === "run" || decision.kind === "replan") && decision.turn === "open";
}

const RESTRICTED = ["destructive_git", "credentials", "private_material", "production", "external_publication"];

export const DECISION_PROPERTIES = {
  "agrees with the naive oracle, byte for byte": (decide, { facts, now }) =>
    JSON.stringify(decide(facts, now)) === JSON.stringify(decideNaively(facts, now)),

  "a run selects a todo there is": ofEveryRun(() => true),

  "a paused, completed or stopped goal neither runs nor plans": (decide, { facts, now }) => {
    const { kind } = decide(facts, now).decision;
    return facts.goal.status === "active" ? kind !== "paused" && kind !== "done" : kind === "paused" || kind === "done";
  },

  "a gate that is not approved holds what it names": ofEveryRun(
    (todo, { facts }) =>
      !facts.gates.some(
        (gate) =>
          gate.decision !== "approved" &&
          gate.blocks.some((target) => ["goal", "agent:a1", todo.todo_id].includes(target)),
      ),
  ),

  "a restricted action needs an approved gate of its own kind that names it": ofEveryRun(
    (todo, { facts }) =>
      todo.action_kind === null ||
      !RESTRICTED.includes(todo.action_kind) ||
      facts.gates.some(
        (gate) => gate.decision === "approved" && gate.kind === todo.action_kind && gate.blocks.includes(todo.todo_id),
      ),
  ),

  "work runs only with usable facts of its own, where facts were asked for": ofEveryRun(
    ({ todo_id }, { facts: { context } }) =>
      context === null || (context.state === "usable" && (context.todoId === null || context.todoId === todo_id)),
  ),

  "an unmet dependency holds": ofEveryRun((todo) => todo.unmet_dependencies.length === 0),

  "another agent's live claim holds": ofEveryRun(
    (todo, { now }) =>
      todo.claimed_by === null ||
      todo.claimed_by === "a1" ||
      todo.claim_expires_at === null ||
      todo.claim_expires_at <= now,
  ),

  "a blocked todo never runs": ofEveryRun((todo) => todo.status !== "blocked"),

  "a deferred todo runs only once its condition is met": ofEveryRun((todo, { facts, now }) => {
    if (todo.status !== "deferred") return true;
    const [word, value = ""] = todo.resume?.split(/:(.*)/) ?? [];
    if (word === "after") return value <= now;
    return word === "todo_done" && facts.doneTodoIds.has(value);
  }),

  "a monitor that is not due never runs": ofEveryRun((todo, { now }) => todo.due_at === null || todo.due_at <= now),

  "a person's todo never runs": ofEveryRun((todo) => todo.role === "agent"),

  "selection is by priority, mine one higher, then mine, then written order": (decide, { facts, now }) => {
    const { decision } = decide(facts, now);
    if (decision.kind !== "run" || decision.turn === "resume") return true;
    const keyOf = (todo: CandidateTodo): readonly number[] => {
      const isMine = todo.claimed_by === "a1" && todo.claim_expires_at !== null && todo.claim_expires_at > now;
      return [todo.priority - (isMine ? 1 : 0), isMine ? 0 : 1, todo.position];
    };
    const alone = (todo: CandidateTodo): boolean => {
      const only = decide({ ...facts, todos: [todo], openTurn: null, releasedInARow: 0 }, now).decision;
      return only.kind === "run";
    };
    const ranked = facts.todos.filter(alone).map((todo) => ({ id: todo.todo_id, key: keyOf(todo) }));
    ranked.sort((left, right) => {
      const at = left.key.findIndex((value, index) => value !== right.key[index]);
      return at === -1 ? 0 : (left.key[at] ?? 0) - (right.key[at] ?? 0);
    });
    return ranked[0] === undefined || ranked[0].id === decision.todoId;
  },

  "the order of the lists changes nothing": (decide, { facts, now }) => {
    const turned = { ...facts, todos: facts.todos.toReversed(), gates: facts.gates.toReversed() };
    return withoutOrder(decide(facts, now)) === withoutOrder(decide(turned, now));
  },

  "the same facts and clock give the same bytes, and the facts stay as they were": (decide, { facts, now }) => {
    const before = structuredClone(facts);
    const first = JSON.stringify(decide(facts, now));
    return first === JSON.stringify(decide(before, now)) && JSON.stringify(before) === JSON.stringify(facts);
  },

  "no turn is opened beyond the total budget": (decide, { facts, now }) => {
    const decided = decide(facts, now);
    if (!opensTurn(decided) || facts.goal.budget_total_turns === null) return true;
    const kept = facts.turnsUsed - (decided.endsOpenTurn === "released" ? 1 : 0);
    return kept + 1 <= facts.goal.budget_total_turns;
  },

  "no turn is opened beyond the budget of the window": (decide, { facts, now }) => {
    const { budget_window_turns: limit, budget_window_ms: windowMs } = facts.goal;
    const decided = decide(facts, now);
    if (!opensTurn(decided) || limit === null || windowMs === null) return true;
    const opened = facts.openTurn?.opened_at ?? now;
    const isBack = decided.endsOpenTurn === "released" && opened > addMs(now, -windowMs);
    return facts.turnsUsedInWindow - (isBack ? 1 : 0) + 1 <= limit;
  },

  "a throttled window says when the next turn is free": (decide, { facts, now }) => {
    const { decision } = decide(facts, now);
    if (decision.kind !== "throttled" || decision.reason !== "budget_window") return true;
    const { oldestInWindowAt, goal } = facts;
    const free = oldestInWindowAt === null ? null : addMs(oldestInWindowAt, goal.budget_window_ms ?? 0);
    return decision.until === free;
  },

  "a turn that somebody else holds is waited for until its lease ends": (decide, { facts, now }) => {
    const turn = facts.openTurn;
    if (facts.goal.status !== "active" || turn === null || turn.lease_expires_at <= now) return true;
    if (facts.holder.turnId === turn.turn_id || facts.holder.label === turn.holder) return true;
    const decided = decide(facts, now);
    const { decision } = decided;
    return (
      decision.kind === "wait" &&
      decision.reason === "turn_open_elsewhere" &&
      decision.until === turn.lease_expires_at &&
      decided.endsOpenTurn === null
    );
  },

  "a lease that ended with evidence is never released, one without never lapses": (decide, { facts, now }) => {
    const { endsOpenTurn } = decide(facts, now);
    if (endsOpenTurn === null) return true;
    return facts.openTurn !== null && endsOpenTurn === (facts.openTurnHasEvidence ? "lapsed" : "released");
  },

  "a resumed run goes on under the open turn's own todo and epoch": (decide, { facts, now }) => {
    const { decision } = decide(facts, now);
    if (decision.kind !== "run" || decision.turn !== "resume") return true;
    const todo = facts.todos.find((each) => each.todo_id === decision.todoId);
    return (
      facts.openTurn?.todo_id === decision.todoId &&
      decision.epoch === facts.openTurn.claim_epoch &&
      todo?.claimed_by === "a1" &&
      todo.claim_epoch === decision.epoch
    );
  },

  "an open turn is never passed over for another while it is held": (decide, { facts, now }) => {
    const decided = decide(facts, now);
    return facts.openTurn === null || !opensTurn(decided) || decided.endsOpenTurn !== null;
  },

  "a new claim grows the epoch, one's own live claim keeps it": (decide, { facts, now }) => {
    const { decision } = decide(facts, now);
    if (decision.kind !== "run" || decision.turn !== "open") return true;
    const todo = facts.todos.find((each) => each.todo_id === decision.todoId);
    const isMine = todo?.claimed_by === "a1" && todo.claim_expires_at !== null && todo.claim_expires_at > now;
    return decision.epoch === (todo?.claim_epoch ?? -9) + (isMine ? 0 : 1);
  },

  "three turns without evidence in a row stop new ones until repaired": (decide, { facts, now }) => {
    const decided = decide(facts, now);
    const count = facts.releasedInARow + (decided.endsOpenTurn === "released" ? 1 : 0);
    if (count < 3) return decided.decision.kind !== "repair" || decided.decision.code !== "turns_unsettled";
    return !opensTurn(decided);
  },

  "the third fruitless plan in a row asks a person": (decide, { facts, now }) => {
    const { decision } = decide(facts, now);
    return decision.kind !== "replan" || decision.turn === "resume" || facts.replansInARow < 2;
  },

  "a plan is asked for only when no live work of an agent is left": (decide, { facts, now }) => {
    const { decision } = decide(facts, now);
    return (
      decision.kind !== "replan" || decision.turn === "resume" || !facts.todos.some((todo) => todo.role === "agent")
    );
  },

  "a wait with a time waits for the future": (decide, { facts, now }) => {
    const { decision } = decide(facts, now);
    return decision.kind !== "wait" || decision.until === null || decision.until > now;
  },

  "an approved gate is never asked about, nor one put off until later": (decide, { facts, now }) => {
    const { decision } = decide(facts, now);
    if (decision.kind !== "ask_user" || decision.reason !== "gate") return true;
    return decision.todoIds.every((id) => {
      const gate = facts.gates.find((each) => each.todo_id === id);
      const isAskedAgain = gate?.decision === "deferred" && gate.ask_again_at !== null && gate.ask_again_at <= now;
      return gate !== undefined && (gate.decision === null || isAskedAgain);
    });
  },
} as const satisfies Record<string, DecisionProperty>;

export type DecisionPropertyName = keyof typeof DECISION_PROPERTIES;

/** What a packet says of several equals may come in any order; which wait is named among equals too. */
function withoutOrder({ decision, endsOpenTurn }: DecidedNext): string {
  if (decision.kind === "ask_user")
    return JSON.stringify([{ ...decision, todoIds: decision.todoIds.toSorted() }, endsOpenTurn]);
  if (decision.kind === "wait") return JSON.stringify([decision.kind, decision.until, endsOpenTurn]);
  return JSON.stringify([decision, endsOpenTurn]);
}
