import type { ChangedTodo, Todo } from "@loopx/control-plane";
import type { CommandResult } from "../output/command-result.ts";
import { joinLines, renderNext } from "./render-facts.ts";
import { renderTodoLine, toTodoPacket } from "./todo-packet.ts";

/** The answer of a command that changed one todo, or found it so. */
export function renderTodoChange(
  schemaVersion: string,
  change: {
    readonly verb: string;
    readonly answer: Pick<ChangedTodo, "todo" | "changed">;
    readonly next?: readonly string[];
  },
): CommandResult {
  const { todo, changed } = change.answer;
  const next = change.next ?? [];
  return {
    packet: {
      ok: true,
      schema_version: schemaVersion,
      goal_id: todo.goal_id,
      changed,
      todo: toTodoPacket(todo),
      ...(next.length === 0 ? {} : { next }),
    },
    text: (style) =>
      joinLines(
        `${changed ? change.verb : `already ${change.verb}`} ${style.bold(todo.todo_id)}  ${renderTodoLine(todo)}`,
        renderState(todo),
        renderNext(next, style),
      ),
  };
}

function renderState(todo: Todo): string {
  const facts = [
    `status ${todo.status}`,
    todo.claim_expires_at === null || todo.claimed_by === null
      ? ""
      : `claimed by ${todo.claimed_by} until ${todo.claim_expires_at}`,
    todo.resume === null ? "" : `resumes ${todo.resume}`,
    todo.reason === null ? "" : `reason: ${todo.reason}`,
  ];
  return `  ${facts.filter((fact) => fact !== "").join(" · ")}`;
}
