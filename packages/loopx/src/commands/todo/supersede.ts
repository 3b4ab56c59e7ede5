import { supersedeTodo } from "@loopx/control-plane";
import { renderTodoChange } from "../../packets/todo-change.ts";
import { unwrap } from "../../packets/unwrap.ts";
import { identifyCaller } from "../../project/identify-caller.ts";
import { withGoal } from "../../project/resolve-project.ts";
import { printCommand } from "../../command-line/print-command.ts";
import type { CommandHandler, CommandInput } from "../command-handler.ts";

/** Ends a todo in favour of another. */
export const run: CommandHandler<"todo supersede"> = async ({ flags, globals, ambient, facts }) => {
  const caller = await identifyCaller({ ambient, facts }, flags);
  return withGoal({ globals, ambient, goalId: flags.goalId }, "write", async (project, goalId) => {
    const request = { goalId, todoId: flags.todoId, caller, reason: flags.reason, replacement: toReplacement(flags) };
    const answer = unwrap(await supersedeTodo(project.database, request, ambient));
    const successor = answer.todo.successor_todo_id;
    const next = successor === null ? [] : [printCommand("todo show", { goalId, todoId: successor }).shell];
    return renderTodoChange("loopx_todo_supersede_v1", { verb: "superseded", answer, next });
  });
};

function toReplacement(
  flags: CommandInput<"todo supersede">["flags"],
): Parameters<typeof supersedeTodo>[1]["replacement"] {
  if (flags.nextTodo !== undefined) return { kind: "next", text: flags.nextTodo };
  if (flags.successorTodoId !== undefined) return { kind: "successor", todoId: flags.successorTodoId };
  return { kind: "none" };
}
