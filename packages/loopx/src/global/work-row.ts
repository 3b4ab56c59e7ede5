import type { Readiness, WorkItem } from "@loopx/control-plane";
import { printCommand } from "../command-line/print-command.ts";
import { toPriority } from "../packets/todo-packet.ts";
import type { OrderedRow, OrderKey } from "./ordered-head.ts";
import type { TextView } from "../packets/shown-text.ts";

export const WORK_KEY_SHAPE = "nnsn";

const READINESS_ORDER: Readonly<Record<Readiness, number>> = { runnable: 0, deferred_ready: 1, blocked: 2 };

/** What can be worked on first, then by priority. */
export function toWorkKey(goalId: string, { todo, readiness }: WorkItem): OrderKey {
  return [READINESS_ORDER[readiness], todo.priority, goalId, todo.position];
}

export function toWorkPacket(row: OrderedRow<WorkItem>, agentId: string | undefined, text: TextView): object {
  const { goalId, item } = row;
  const { todo, readiness, heldBy, isReview } = item;
  return {
    todo_id: todo.todo_id,
    goal_id: goalId,
    role: todo.role,
    status: todo.status,
    priority: toPriority(todo.priority),
    title: text.show(todo.text),
    ...(todo.claim_expires_at === null || todo.claimed_by === null ? {} : { claimed_by: todo.claimed_by }),
    ...(todo.action_kind === null ? {} : { action_kind: todo.action_kind }),
    readiness,
    ...(heldBy === null ? {} : { held_by: heldBy }),
    work_kind: isReview ? "review" : todo.task_class,
    next_safe_action: printWorkStep(row, agentId),
  };
}

/** A lane asks for its turn, which may be for another todo; anybody else looks at the todo. */
export function printWorkStep({ goalId, item }: OrderedRow<WorkItem>, agentId: string | undefined): string {
  const mayRun = agentId !== undefined && item.readiness !== "blocked" && item.todo.role === "agent";
  if (mayRun) return printCommand("quota should-run", { goalId, agentId }).shell;
  return printCommand("todo show", { goalId, todoId: item.todo.todo_id }).shell;
}

export const WORK_COLUMNS = [
  { title: "TODO" },
  { title: "ACTIVE STATE ID" },
  { title: "" },
  { title: "READINESS" },
  { title: "TITLE" },
];

export function toWorkCells({ goalId, item }: OrderedRow<WorkItem>, text: TextView): readonly string[] {
  const readiness = item.heldBy === null ? item.readiness : `${item.readiness}: ${item.heldBy}`;
  return [
    item.todo.todo_id,
    goalId,
    toPriority(item.todo.priority),
    readiness.replaceAll("_", " "),
    text.show(item.todo.text),
  ];
}
