import { parseDuration } from "@loopx/contracts";
import type { Hono } from "hono";
import { parseGateDecision, parseGoalBudget, parseGoalStatus } from "../goal/parse-change.ts";
import { findGoalProject } from "../goal/read-goal.ts";
import { readBody } from "../read-body.ts";
import { renderAnswer } from "../render-answer.ts";
import type { WorkstationWorld } from "../workstation-world.ts";

const NO_LIMIT = "none" as const;

/**
 * What an owner changes of a goal. Each is the command of the same name, refused in its words, and carries the event up to
 * which the person saw the goal: what somebody changed after that is not decided on.
 */
export function addGoalChangeRoutes(app: Hono, world: WorkstationWorld): void {
  app.post("/api/goals/:goalId/gates/:gateId/decision", async ({ req }) => {
    const { goalId, gateId } = req.param();
    const { preview, seq, ...verdict } = parseGateDecision(await readBody(req.raw));
    const { root } = await findGoalProject(goalId, world);
    const flags = { goalId, gateId, ...verdict, expectSeq: seq, ...(preview ? { dryRun: true } : {}) };
    return renderAnswer(await world.runCommand("gate decide", flags, { root }));
  });
  app.post("/api/goals/:goalId/status", async ({ req }) => {
    const goalId = req.param("goalId");
    const { action, seq, ...said } = parseGoalStatus(await readBody(req.raw));
    const { root } = await findGoalProject(goalId, world);
    const flags = { goalId, ...said, expectSeq: seq };
    return renderAnswer(await world.runCommand(action === "pause" ? "goal pause" : "goal resume", flags, { root }));
  });
  app.post("/api/goals/:goalId/budget", async ({ req }) => {
    const goalId = req.param("goalId");
    const { seq, window, ...limits } = parseGoalBudget(await readBody(req.raw));
    const { root } = await findGoalProject(goalId, world);
    const flags = {
      goalId,
      expectSeq: seq,
      ...(limits.total_turns === undefined ? {} : { totalTurns: limits.total_turns ?? NO_LIMIT }),
      ...(limits.window_turns === undefined ? {} : { windowTurns: limits.window_turns ?? NO_LIMIT }),
      ...(window === undefined ? {} : { window: parseDuration(window, "window") }),
    };
    return renderAnswer(await world.runCommand("goal budget", flags, { root }));
  });
}
