import type { LiveGate } from "@loopx/control-plane";
import { printCommand } from "../command-line/print-command.ts";
import type { OrderedRow, OrderKey } from "./ordered-head.ts";
import type { TextView } from "../packets/shown-text.ts";

export const GATE_KEY_SHAPE = "nnsn";

/** What waits for an answer first, then by priority. */
export function toGateKey(goalId: string, { todo, isUndecided }: LiveGate): OrderKey {
  return [isUndecided ? 0 : 1, todo.priority, goalId, todo.position];
}

/** So many ids are listed, the rest are counted. */
const BLOCKS_SHOWN = 3;

export function toGatePacket({ goalId, item }: OrderedRow<LiveGate>, text: TextView): object {
  const { todo, gate, isUndecided } = item;
  return {
    gate_id: todo.todo_id,
    goal_id: goalId,
    kind: gate.kind,
    owner: "user",
    waiting_on: isUndecided ? "user" : (gate.decision ?? "user"),
    blocks: gate.blocks.slice(0, BLOCKS_SHOWN),
    ...(gate.blocks.length > BLOCKS_SHOWN ? { blocks_count: gate.blocks.length } : {}),
    question: text.show(todo.text),
    next_safe_action: printShowGate({ goalId, item }),
  };
}

export function printShowGate({ goalId, item }: Pick<OrderedRow<LiveGate>, "goalId" | "item">): string {
  return printCommand("gate show", { goalId, gateId: item.todo.todo_id }).shell;
}

export const GATE_COLUMNS = [
  { title: "GATE" },
  { title: "ACTIVE STATE ID" },
  { title: "WAITS FOR" },
  { title: "QUESTION" },
];

export function toGateCells({ goalId, item }: OrderedRow<LiveGate>, text: TextView): readonly string[] {
  const waitsFor = item.isUndecided ? "your answer" : `nothing: ${item.gate.decision ?? "open"}`;
  return [item.todo.todo_id, goalId, waitsFor, text.show(item.todo.text)];
}
