import { findTodo, type Todo } from "@loopx/control-plane";
import { LoopxError } from "@loopx/contracts";
import { renderFacts } from "../../packets/render-facts.ts";
import { toFullTodoPacket, toPriority } from "../../packets/todo-packet.ts";
import { withGoal } from "../../project/resolve-project.ts";
import type { CommandHandler } from "../command-handler.ts";

/** Shows one todo whole. */
export const run: CommandHandler<"todo show"> = async ({ flags, globals, ambient }) =>
  withGoal({ globals, ambient, goalId: flags.goalId }, "read", async (project, goalId) => {
    const todo = await project.database.read((tx) => findTodo(tx, goalId, flags.todoId));
    if (todo === undefined) throw toUnknownTodoError(goalId, flags.todoId);
    return {
      packet: { ok: true, schema_version: "loopx_todo_show_v1", todo: toFullTodoPacket(todo) },
      text: (style) => renderFacts(listFacts(todo), style),
    };
  });

export function toUnknownTodoError(goalId: string, todoId: string): LoopxError {
  return new LoopxError("unknown_todo", {
    message: "no todo of this goal has this id",
    hint: `loopx todo list --goal-id=${goalId}`,
    details: { todo_id: todoId },
  });
}

function listFacts(todo: Todo): readonly (readonly [string, string | null])[] {
  return [
    ["text", todo.text],
    ["id", todo.todo_id],
    ["status", todo.status],
    ["priority", toPriority(todo.priority)],
    ["role", todo.role],
    ["class", todo.task_class],
    ["action", todo.action_kind],
    ["target", todo.target_key],
    ["claimed by", todo.claim_expires_at === null ? null : `${todo.claimed_by ?? ""} until ${todo.claim_expires_at}`],
    ["depends on", todo.depends_on.length === 0 ? null : todo.depends_on.join(", ")],
    ["resumes", todo.resume],
    ["due", todo.due_at],
    ["check", todo.validation === null ? null : JSON.stringify(todo.validation.argv)],
    ["gate", todo.gate === null ? null : `${todo.gate.kind}, blocks ${todo.gate.blocks.join(", ") || "nothing"}`],
    ["decision", todo.gate?.decision ?? null],
    ["reason", todo.reason],
    ["held by", todo.held_by],
    ["note", todo.note],
    ["follow-up", todo.successor_todo_id ?? todo.completion],
    ["written by", `${todo.created_by} at ${todo.created_at}`],
    ["completed", todo.completed_at],
    ["archived", todo.archived_at],
  ];
}
