import { pauseGoal } from "@loopx/control-plane";
import { renderGoalChange } from "../../packets/goal-change.ts";
import { unwrap } from "../../packets/unwrap.ts";
import { identifyCaller } from "../../project/identify-caller.ts";
import { withGoal } from "../../project/resolve-project.ts";
import type { CommandHandler } from "../command-handler.ts";

/** Stops all new turns until an owner resumes. */
export const run: CommandHandler<"goal pause"> = async ({ flags, globals, ambient, facts }) => {
  const caller = await identifyCaller({ ambient, facts }, flags);
  return withGoal({ globals, ambient, goalId: flags.goalId }, "write", async (project, goalId) => {
    const answer = unwrap(
      await pauseGoal(
        project.database,
        { goalId, caller, reason: flags.reason ?? null, expectSeq: flags.expectSeq },
        ambient,
      ),
    );
    return renderGoalChange("loopx_goal_pause_v1", { done: "paused", already: "already paused" }, answer);
  });
};
