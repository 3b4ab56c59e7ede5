import { LoopxError } from "@loopx/contracts";
import { findGoal, setGoalBudget, type Goal, type GoalBudget } from "@loopx/control-plane";
import { renderGoalChange } from "../../packets/goal-change.ts";
import { unwrap } from "../../packets/unwrap.ts";
import { identifyCaller } from "../../project/identify-caller.ts";
import { withGoal } from "../../project/resolve-project.ts";
import type { CommandHandler, CommandInput } from "../command-handler.ts";

/** Sets the turn budget; a limit that is not named stays as it is. */
export const run: CommandHandler<"goal budget"> = async ({ flags, globals, ambient, facts }) => {
  const caller = await identifyCaller({ ambient, facts }, flags);
  return withGoal({ globals, ambient, goalId: flags.goalId }, "write", async (project, goalId) => {
    const goal = await project.database.read((tx) => findGoal(tx, goalId));
    const request = { goalId, caller, reason: null, expectSeq: flags.expectSeq, budget: toBudget(flags, goal) };
    const answer = unwrap(await setGoalBudget(project.database, request, ambient));
    return renderGoalChange("loopx_goal_budget_v1", { done: "budget set", already: "budget is so already" }, answer);
  });
};

function toBudget(flags: CommandInput<"goal budget">["flags"], goal: Goal | undefined): GoalBudget {
  const { totalTurns, windowTurns, window } = flags;
  if (totalTurns === undefined && windowTurns === undefined && window === undefined) {
    throw new LoopxError("missing_flag", {
      message: "name a limit to set",
      hint: "--total-turns=N, or --window-turns=N with --window=DURATION; none lifts a limit",
    });
  }
  const total = totalTurns ?? goal?.budget_total_turns ?? null;
  const inWindow = windowTurns ?? goal?.budget_window_turns ?? null;
  const windowMs = window ?? goal?.budget_window_ms ?? null;
  if (inWindow !== "none" && (inWindow === null) !== (windowMs === null)) {
    throw new LoopxError("missing_flag", {
      message: "a limit per window needs both --window-turns and --window",
      hint: "for example --window-turns=20 --window=1d",
    });
  }
  const hasWindow = inWindow !== "none" && inWindow !== null;
  return {
    totalTurns: total === "none" ? null : total,
    windowTurns: hasWindow ? inWindow : null,
    windowMs: hasWindow ? windowMs : null,
  };
}
