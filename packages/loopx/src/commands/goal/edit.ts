import { editGoal } from "@loopx/control-plane";
import { renderGoalChange } from "../../packets/goal-change.ts";
import { unwrap } from "../../packets/unwrap.ts";
import { identifyCaller } from "../../project/identify-caller.ts";
import { withGoal } from "../../project/resolve-project.ts";
import type { CommandHandler } from "../command-handler.ts";

/** Changes the objective, or opens the gate that an agent's edit waits for. */
export const run: CommandHandler<"goal edit"> = async ({ flags, globals, ambient, facts }) => {
  const caller = await identifyCaller({ ambient, facts }, flags);
  return withGoal({ globals, ambient, goalId: flags.goalId }, "write", async (project, goalId) => {
    const request = {
      goalId,
      caller,
      reason: null,
      objective: flags.objective,
      expectRevision: flags.expectRevision ?? null,
    };
    return renderGoalChange(
      "loopx_goal_edit_v1",
      { done: "edited", already: "already so" },
      unwrap(await editGoal(project.database, request, ambient)),
    );
  });
};
