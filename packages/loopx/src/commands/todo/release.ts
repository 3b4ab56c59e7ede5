import { releaseTodo } from "@loopx/control-plane";
import { renderTodoChange } from "../../packets/todo-change.ts";
import { unwrap } from "../../packets/unwrap.ts";
import { identifyCaller } from "../../project/identify-caller.ts";
import { withGoal } from "../../project/resolve-project.ts";
import type { CommandHandler } from "../command-handler.ts";

/** Gives a claim back. */
export const run: CommandHandler<"todo release"> = async ({ flags, globals, ambient, facts }) => {
  const caller = await identifyCaller({ ambient, facts }, flags);
  return withGoal({ globals, ambient, goalId: flags.goalId }, "write", async (project, goalId) => {
    const answer = unwrap(await releaseTodo(project.database, { goalId, todoId: flags.todoId, caller }, ambient));
    return renderTodoChange("loopx_todo_release_v1", { verb: "released", answer });
  });
};
