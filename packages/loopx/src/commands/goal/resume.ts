import { resumeGoal } from "@loopx/control-plane";
import { renderGoalChange } from "../../packets/goal-change.ts";
import { unwrap } from "../../packets/unwrap.ts";
import { identifyCaller } from "../../project/identify-caller.ts";
import { withGoal } from "../../project/resolve-project.ts";
import type { CommandHandler } from "../command-handler.ts";

/** Lets a paused or stopped goal go on. */
export const run: CommandHandler<"goal resume"> = async ({ flags, globals, ambient, facts }) => {
  const caller = await identifyCaller({ ambient, facts }, flags);
  return withGoal({ globals, ambient, goalId: flags.goalId }, "write", async (project, goalId) => {
    const answer = unwrap(
      await resumeGoal(
        project.database,
        { goalId, caller, reason: flags.reason ?? null, expectSeq: flags.expectSeq },
        ambient,
      ),
    );
    return renderGoalChange("loopx_goal_resume_v1", { done: "resumed", already: "already active" }, answer);
  });
};
