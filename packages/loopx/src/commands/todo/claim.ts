import { claimTodo } from "@loopx/control-plane";
import { printCommand } from "../../command-line/print-command.ts";
import { renderTodoChange } from "../../packets/todo-change.ts";
import { unwrap } from "../../packets/unwrap.ts";
import { identifyCaller } from "../../project/identify-caller.ts";
import { loadLeaseTtl } from "../../project/lease-ttl.ts";
import { withGoal } from "../../project/resolve-project.ts";
import type { CommandHandler } from "../command-handler.ts";

/** Takes or extends a claim. */
export const run: CommandHandler<"todo claim"> = async ({ flags, globals, ambient, facts }) => {
  const caller = await identifyCaller({ ambient, facts }, flags);
  return withGoal({ globals, ambient, goalId: flags.goalId }, "write", async (project, goalId) => {
    const leaseTtlMs = await loadLeaseTtl(project.database, flags.leaseTtl);
    const request = { goalId, todoId: flags.todoId, caller, agentId: flags.agentId, leaseTtlMs };
    const answer = unwrap(await claimTodo(project.database, request, ambient));
    const { agentId, threadId } = flags;
    const next = [printCommand("quota should-run", { goalId, agentId, threadId }).shell];
    return renderTodoChange("loopx_todo_claim_v1", { verb: "claimed", answer, next });
  });
};
