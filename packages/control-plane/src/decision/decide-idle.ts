import type { Instant } from "@loopx/contracts";
import {
  FRUITLESS_REPLANS_LIMIT,
  type CandidateTodo,
  type Decision,
  type DecisionFacts,
  type GateFact,
  type WaitFor,
} from "./decision.ts";
import { findHold, isUndecided, type Hold } from "./runnable-todo.ts";

/**
 * Answers an agent for whom nothing is runnable.
 *
 * A person's no to everything comes first, then what a person can free, then what time or another agent frees, then what is stuck; only when no
 * live work is left at all is the agent asked to plan.
 */
export function decideIdle(facts: DecisionFacts, now: Instant): Decision {
  const work = facts.todos.filter((todo) => todo.role === "agent");
  const holds = work.map((todo) => ({ todo, hold: findHold(todo, facts, now) }));
  const gates = facts.gates.filter((gate) => isInTheWay(gate, facts.agentId));
  return (
    askAboutRejection(gates, facts.agentId) ??
    askAboutGates(gates, now) ??
    askForUserActions(facts, holds) ??
    waitForTime(gates, holds, now) ??
    askAboutStuck(gates, holds) ??
    planNext(facts)
  );
}

interface Held {
  readonly todo: CandidateTodo;
  readonly hold: Hold;
}

/** Whether a gate holds this agent's work. One that holds only others' or nothing is no reason to wait or to ask. */
function isInTheWay(gate: GateFact, agentId: string): boolean {
  return gate.names_work || isForEveryone(gate.blocks, agentId);
}

/** A no to all of the agent's work: no other answer and no time frees it. */
function askAboutRejection(gates: readonly GateFact[], agentId: string): Decision | undefined {
  const rejected = gates.filter((gate) => gate.decision === "rejected" && isForEveryone(gate.blocks, agentId));
  if (rejected.length === 0) return undefined;
  return askAboutTodos("gate_rejected", rejected);
}

function askAboutGates(gates: readonly GateFact[], now: Instant): Decision | undefined {
  const undecided = gates.filter((gate) => isUndecided(gate, now));
  if (undecided.length === 0) return undefined;
  return askAboutTodos("gate", undecided);
}

function isForEveryone(blocks: readonly string[], agentId: string): boolean {
  return blocks.includes("goal") || blocks.includes(`agent:${agentId}`);
}

function askForUserActions(facts: DecisionFacts, holds: readonly Held[]): Decision | undefined {
  const wanted = new Set(holds.flatMap(({ todo, hold }) => (hold.by === "dependency" ? todo.unmet_dependencies : [])));
  const actions = facts.todos.filter((todo) => todo.task_class === "user_action" && wanted.has(todo.todo_id));
  if (actions.length === 0) return undefined;
  return askAboutTodos("user_action", actions);
}

/** The earliest thing that frees work without anybody being asked. */
function waitForTime(gates: readonly GateFact[], holds: readonly Held[], now: Instant): Decision | undefined {
  let earliest: { reason: WaitFor; until: Instant } | undefined;
  const offer = (reason: WaitFor, until: Instant | null): void => {
    if (until !== null && until > now && (earliest === undefined || until < earliest.until)) {
      earliest = { reason, until };
    }
  };
  for (const { hold } of holds) {
    if (hold.by === "claim") offer("claimed_by_others", hold.until);
    if (hold.by === "not_due") offer("monitor_not_due", hold.until);
    if (hold.by === "deferred") offer("deferred_until", hold.until);
  }
  for (const gate of gates) if (gate.decision === "deferred") offer("gate_deferred", gate.ask_again_at);
  return earliest && { kind: "wait", ...earliest };
}

function askAboutStuck(gates: readonly GateFact[], holds: readonly Held[]): Decision | undefined {
  const stuck = holds.filter(({ hold }) => hold.by === "blocked" || hold.by === "missing_gate");
  if (stuck.length > 0)
    return askAboutTodos(
      "blocked",
      stuck.map(({ todo }) => todo),
    );
  if (gates.some((gate) => gate.decision === "deferred")) {
    return { kind: "wait", reason: "gate_deferred", until: null };
  }
  if (holds.some(({ hold }) => hold.by === "deferred")) {
    return { kind: "wait", reason: "deferred_manual", until: null };
  }
  if (holds.length === 0) return undefined;
  return askAboutTodos(
    "blocked",
    holds.map(({ todo }) => todo),
  );
}

type AskReason = Extract<Decision, { readonly kind: "ask_user" }>["reason"];

function askAboutTodos(reason: AskReason, todos: readonly (CandidateTodo | GateFact)[]): Decision {
  const moreCount = todos.reduce((sum, todo) => sum + todo.left_out, 0);
  const todoIds = todos.map((todo) => todo.todo_id);
  return { kind: "ask_user", reason, todoIds, ...(moreCount === 0 ? {} : { moreCount }) };
}

function planNext(facts: DecisionFacts): Decision {
  if (facts.replansInARow >= FRUITLESS_REPLANS_LIMIT) {
    return { kind: "ask_user", reason: "replan_exhausted", todoIds: [] };
  }
  return { kind: "replan", turn: "open" };
}
