import { cutText, LIMITS } from "@loopx/contracts";
import type { Todo } from "@loopx/control-plane";

export interface TodoPacket {
  readonly todo_id: string;
  readonly [field: string]: unknown;
}

/** A todo as lists and changes show it: the text cut, what is not set left out. */
export function toTodoPacket(todo: Todo): TodoPacket {
  const shown = cutText(todo.text, LIMITS.todoTextShown);
  return withoutEmpty({
    todo_id: todo.todo_id,
    role: todo.role,
    status: todo.status,
    priority: toPriority(todo.priority),
    task_class: todo.task_class === "advancement_task" ? null : todo.task_class,
    text: shown.text,
    text_truncated: shown.isTruncated || null,
    action_kind: todo.action_kind,
    claimed_by: todo.claim_expires_at === null ? null : todo.claimed_by,
    claim_expires_at: todo.claim_expires_at,
    depends_on: todo.depends_on.length === 0 ? null : todo.depends_on,
    resume: todo.resume,
    due_at: todo.due_at,
    reason: todo.reason,
  }) as TodoPacket;
}

/** A todo with everything that is known of it. */
export function toFullTodoPacket(todo: Todo): TodoPacket {
  return withoutEmpty({ ...todo, priority: toPriority(todo.priority) }) as TodoPacket;
}

export function toPriority(priority: number): string {
  return `P${priority}`;
}

export function parsePriority(text: string): number {
  return Number(text.slice(1));
}

function withoutEmpty(fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== null && !(Array.isArray(value) && value.length === 0)),
  );
}

/** One line about a todo for people: `P1  Write the parser`. */
export function renderTodoLine(todo: Todo): string {
  const shown = cutText(todo.text.replaceAll(/\s+/g, " "), LIMITS.todoTextShown);
  return `${toPriority(todo.priority)}  ${shown.text}${shown.isTruncated ? "…" : ""}`;
}
