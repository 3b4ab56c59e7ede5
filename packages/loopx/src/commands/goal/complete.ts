import { completeGoal } from "@loopx/control-plane";
import { renderGoalChange } from "../../packets/goal-change.ts";
import { unwrap } from "../../packets/unwrap.ts";
import { backupWhenOld } from "../../project/backups.ts";
import { identifyCaller } from "../../project/identify-caller.ts";
import { withGoal } from "../../project/resolve-project.ts";
import type { CommandHandler } from "../command-handler.ts";

/** Completes a goal; a backup of what was reached is kept. */
export const run: CommandHandler<"goal complete"> = async ({ flags, globals, ambient, facts }) => {
  const caller = await identifyCaller({ ambient, facts }, flags);
  return withGoal({ globals, ambient, goalId: flags.goalId }, "write", async (project, goalId) => {
    const answer = unwrap(
      await completeGoal(project.database, { goalId, caller, reason: flags.reason ?? null }, ambient),
    );
    if (answer.changed) await backupWhenOld(project, ambient);
    return renderGoalChange("loopx_goal_complete_v1", { done: "completed", already: "already completed" }, answer);
  });
};
