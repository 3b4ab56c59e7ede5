import { deferTodo, parseResumeCondition } from "@loopx/control-plane";
import { printCommand } from "../../command-line/print-command.ts";
import { renderTodoChange } from "../../packets/todo-change.ts";
import { unwrap } from "../../packets/unwrap.ts";
import { identifyCaller } from "../../project/identify-caller.ts";
import { withGoal } from "../../project/resolve-project.ts";
import type { CommandHandler } from "../command-handler.ts";

/** Puts a todo off until its condition holds. */
export const run: CommandHandler<"todo defer"> = async ({ flags, globals, ambient, facts }) => {
  const caller = await identifyCaller({ ambient, facts }, flags);
  const resume = parseResumeCondition(flags.resume, ambient.now());
  return withGoal({ globals, ambient, goalId: flags.goalId }, "write", async (project, goalId) => {
    const request = { goalId, todoId: flags.todoId, caller, resume, reason: flags.reason ?? null };
    const answer = unwrap(await deferTodo(project.database, request, ambient));
    const target = { goalId, todoId: flags.todoId };
    // Nothing but a person brings one back that waits for nobody else.
    const next =
      resume === "manual"
        ? printCommand("todo update", { ...target, agentId: flags.agentId, status: "open" })
        : printCommand("todo show", target);
    return renderTodoChange("loopx_todo_defer_v1", { verb: "deferred", answer, next: [next.shell] });
  });
};
