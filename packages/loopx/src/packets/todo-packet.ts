import { cutText, LIMITS } from "@loopx/contracts";
import type { Todo } from "@loopx/control-plane";

export interface TodoPacket {
  readonly todo_id: string;
  readonly [field: string]: unknown;
}

const DEPENDENCIES_SHOWN = 10;

/** A todo as lists and changes show it: texts and lists cut, what is not set left out. `todo show` has it whole. */
export function toTodoPacket(todo: Todo): TodoPacket {
  const shown = cutText(todo.text, LIMITS.todoTextShown);
  const reason = todo.reason === null ? null : cutText(todo.reason, LIMITS.todoTextShown);
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
    depends_on: todo.depends_on.slice(0, DEPENDENCIES_SHOWN),
    depends_on_count: todo.depends_on.length > DEPENDENCIES_SHOWN ? todo.depends_on.length : null,
    resume: todo.resume,
    due_at: todo.due_at,
    reason: reason?.text ?? null,
    reason_truncated: reason?.isTruncated === true || null,
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
