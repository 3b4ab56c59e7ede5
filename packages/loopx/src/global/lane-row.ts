import type { Decision, LaneOutlook } from "@loopx/control-plane";
import { printCommand } from "../command-line/print-command.ts";
import type { OrderedRow, OrderKey } from "./ordered-head.ts";

export const LANE_KEY_SHAPE = "nss";

/** Lanes that need a person come first, those that are at work or at rest last. */
const DECISION_ORDER: Readonly<Record<Decision["kind"], number>> = {
  ask_user: 0,
  repair: 1,
  throttled: 2,
  paused: 3,
  wait: 4,
  run: 5,
  replan: 6,
  done: 7,
};

export function toLaneKey(goalId: string, { agentId, decision }: LaneOutlook): OrderKey {
  return [DECISION_ORDER[decision.kind], goalId, agentId];
}

export function toLanePacket(row: OrderedRow<LaneOutlook>): object {
  const { goalId, item } = row;
  const topTodoId = findTopTodoId(item.decision);
  const waitingOn = findWaitingOn(item.decision);
  return {
    goal_id: goalId,
    agent_id: item.agentId,
    status: item.decision.kind,
    ...(waitingOn === undefined ? {} : { waiting_on: waitingOn }),
    ...(topTodoId === undefined ? {} : { top_todo_id: topTodoId }),
    next_safe_action: printLaneStep(row),
  };
}

/** The decision's own word for what is in the way. */
function findWaitingOn(decision: Decision): string | undefined {
  if ("reason" in decision) return decision.reason;
  return decision.kind === "repair" ? decision.code : undefined;
}

function findTopTodoId(decision: Decision): string | undefined {
  if (decision.kind === "run") return decision.todoId;
  return decision.kind === "ask_user" ? decision.todoIds[0] : undefined;
}

export function printLaneStep({ goalId, item }: OrderedRow<LaneOutlook>): string {
  const { agentId, decision } = item;
  switch (decision.kind) {
    case "run":
    case "replan":
    case "repair":
      return printCommand("quota should-run", { goalId, agentId }).shell;
    case "ask_user":
      return decision.reason === "gate" || decision.reason === "gate_rejected"
        ? printCommand("gate list", { goalId }).shell
        : printCommand("status", { goalId }).shell;
    case "wait":
    case "throttled":
    case "paused":
    case "done":
      return printCommand("quota status", { goalId, agentId }).shell;
    default:
      throw new TypeError(`no step for ${JSON.stringify(decision satisfies never)}`);
  }
}

export const LANE_COLUMNS = [{ title: "AGENT" }, { title: "ACTIVE STATE ID" }, { title: "NOW" }, { title: "TODO" }];

export function toLaneCells({ goalId, item }: OrderedRow<LaneOutlook>): readonly string[] {
  const waitingOn = findWaitingOn(item.decision);
  const now = waitingOn === undefined ? item.decision.kind : `${item.decision.kind}: ${waitingOn}`;
  return [item.agentId, goalId, now.replaceAll("_", " "), findTopTodoId(item.decision) ?? ""];
}
