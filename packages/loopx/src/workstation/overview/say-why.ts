import type { SafeAction } from "@loopx/workstation/contract";
import type { Decision } from "@loopx/control-plane";
import { printCommand } from "../../command-line/print-command.ts";
import type { Ask } from "../../global/ask-row.ts";
import type { GoalOutlook } from "../../global/goal-row.ts";
import { printLaneStep } from "../../global/lane-row.ts";
import { renderQuantity } from "../../packets/render-facts.ts";

/** What waits for an answer, in one sentence. */
export function sayAsk({ gate }: Ask): string {
  if (gate === null) return "Only a person can do this.";
  if (gate.blocks.includes("goal")) return "The whole goal waits for your answer.";
  const agents = gate.blocks.filter((target) => target.startsWith("agent:"));
  const todoCount = gate.blocks.length - agents.length;
  const held = [
    ...(todoCount === 0 ? [] : [renderQuantity(todoCount, "todo")]),
    ...agents.map((target) => target.slice("agent:".length)),
  ];
  if (held.length === 0) return "Nothing is held; an agent asks.";
  return `${held.join(" and ")} ${held.length === 1 && todoCount <= 1 ? "waits" : "wait"} for your answer.`;
}

export function toAskStep(goalId: string, { gate, todo }: Ask): SafeAction {
  const command =
    gate === null
      ? printCommand("todo show", { goalId, todoId: todo.todo_id })
      : printCommand("gate show", { goalId, gateId: todo.todo_id });
  return { label: gate === null ? "Look at it" : "Decide", command: command.shell, todo_id: todo.todo_id };
}

/** Why a goal stands where it stands, in one sentence. */
export function sayGoal(outlook: GoalOutlook): string {
  const { goal, telling, firstAsk, undecidedGateCount } = outlook;
  if (undecidedGateCount > 0) return `${renderQuantity(undecidedGateCount, "gate")} to be answered.`;
  if (firstAsk !== null) return "Something only a person can do.";
  if (goal.status === "paused") return goal.reason === null ? "Paused." : "Paused with a reason.";
  if (telling === null) return "No agent is registered.";
  return sayDecision(telling.decision, telling.agentId);
}

/** What `quota should-run` would answer a lane now, in words. */
export function sayDecision(decision: Decision, agentId: string): string {
  switch (decision.kind) {
    case "run":
      return decision.turn === "resume" ? `${agentId} has a turn open.` : `${agentId} can take the next todo.`;
    case "replan":
      return `Nothing is left to run: ${agentId} plans next.`;
    case "ask_user":
      return ASKS[decision.reason];
    case "wait":
      return WAITS[decision.reason];
    case "repair":
      return decision.code === "turn_not_settled"
        ? `${agentId} has a turn that was not settled.`
        : `${agentId} ended several turns with nothing to show.`;
    case "throttled":
      return decision.reason === "budget_total"
        ? "The turn budget is used up."
        : "The turns of this window are used up.";
    case "paused":
      return "Paused.";
    case "done":
      return decision.reason === "goal_completed" ? "Completed." : "Stopped.";
    default:
      throw new TypeError(`no words for ${JSON.stringify(decision satisfies never)}`);
  }
}

const ASKS: Readonly<Record<Extract<Decision, { kind: "ask_user" }>["reason"], string>> = {
  gate: "A gate holds the work.",
  user_action: "Something only a person can do holds the work.",
  blocked: "All that is left is blocked.",
  gate_rejected: "What you rejected holds the work.",
  replan_exhausted: "Planning brought no new work several times.",
  context_blocked: "The context that turns need is blocked.",
};

const WAITS: Readonly<Record<Extract<Decision, { kind: "wait" }>["reason"], string>> = {
  turn_open_elsewhere: "A turn is open in another thread.",
  claimed_by_others: "Other agents hold what could be done.",
  monitor_not_due: "Watching; the next check is not due yet.",
  deferred_until: "Put off until a time.",
  deferred_manual: "Put off until somebody frees it.",
  gate_deferred: "You put a gate off.",
  context_blocked: "The context that turns need is blocked.",
  context_outdated: "The context was fetched for something else.",
};

/** The next thing to do about a goal that changes nothing by itself. */
export function findGoalStep({ goal, telling, firstAsk }: GoalOutlook): SafeAction {
  const goalId = goal.goal_id;
  if (firstAsk !== null) return toAskStep(goalId, firstAsk);
  if (goal.status === "paused") {
    return { label: "Resume it when it may go on", command: printCommand("goal resume", { goalId }).shell };
  }
  if (telling === null) {
    return { label: "Register an agent", command: printCommand("status", { goalId }).shell };
  }
  const { decision } = telling;
  const command = printLaneStep({ key: [], goalId, item: telling });
  if (decision.kind === "ask_user") {
    const [todoId] = decision.todoIds;
    return { label: "Look at what holds it", command, ...(todoId === undefined ? {} : { todo_id: todoId }) };
  }
  if (decision.kind === "throttled") return { label: "Raise the budget", command };
  if (decision.kind === "run" || decision.kind === "replan" || decision.kind === "repair") {
    return { label: `${telling.agentId} asks for its turn`, command };
  }
  return { label: "Nothing to do", command };
}
