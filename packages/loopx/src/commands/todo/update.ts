import { LoopxError } from "@loopx/contracts";
import { updateTodo, type TodoEdit } from "@loopx/control-plane";
import { parsePriority } from "../../packets/todo-packet.ts";
import { renderTodoChange } from "../../packets/todo-change.ts";
import { unwrap } from "../../packets/unwrap.ts";
import { identifyCaller } from "../../project/identify-caller.ts";
import { withGoal } from "../../project/resolve-project.ts";
import type { CommandHandler, CommandInput } from "../command-handler.ts";

/** Changes fields of a todo. */
export const run: CommandHandler<"todo update"> = async ({ flags, globals, ambient, facts }) => {
  if (isEmpty(flags)) throw toNothingToChangeError();
  const caller = await identifyCaller({ ambient, facts }, flags);
  return withGoal({ globals, ambient, goalId: flags.goalId }, "write", async (project, goalId) => {
    const request = { goalId, todoId: flags.todoId, caller, edit: toEdit(flags) };
    const answer = unwrap(await updateTodo(project.database, request, ambient));
    return renderTodoChange("loopx_todo_update_v1", { verb: "updated", answer });
  });
};

function toEdit(flags: CommandInput<"todo update">["flags"]): TodoEdit {
  return {
    text: flags.text ?? null,
    priority: flags.priority === undefined ? null : parsePriority(flags.priority),
    status: flags.status ?? null,
    note: flags.note ?? null,
    reason: flags.reason ?? null,
    addDependsOn: flags.addDependsOn,
    removeDependsOn: flags.removeDependsOn,
    clearClaim: flags.clearClaim,
  };
}

function isEmpty(flags: CommandInput<"todo update">["flags"]): boolean {
  const { text, priority, status, note, reason, addDependsOn, removeDependsOn, clearClaim } = flags;
  const isUnset = [text, priority, status, note, reason].every((value) => value === undefined);
  return isUnset && addDependsOn.length === 0 && removeDependsOn.length === 0 && !clearClaim;
}

function toNothingToChangeError(): LoopxError {
  return new LoopxError("missing_flag", {
    message: "name something to change: --text, --priority, --status, --note, --reason or a dependency",
    hint: "loopx todo update --help",
  });
}
