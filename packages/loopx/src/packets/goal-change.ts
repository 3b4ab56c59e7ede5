import type { ChangedGoal } from "@loopx/control-plane";
import { printCommand } from "../command-line/print-command.ts";
import type { CommandResult } from "../output/command-result.ts";
import { renderBudget, toGoalPacket } from "./goal-packet.ts";
import { joinLines, OWNER_RUNS_THESE, renderNext } from "./render-facts.ts";

/** What was done to the goal, and how it is called where that was so already. */
export interface GoalChangeWords {
  readonly done: string;
  readonly already: string;
}

/** The answer of a command that changed a goal, found it so, or opened a gate for it. */
export function renderGoalChange(schemaVersion: string, words: GoalChangeWords, answer: ChangedGoal): CommandResult {
  const { goal, changed, gate } = answer;
  const isForOwner = gate === null && goal.status === "paused";
  const next = [listNext(answer)];
  return {
    packet: {
      ok: true,
      schema_version: schemaVersion,
      changed,
      goal: toGoalPacket(goal),
      ...(gate === null ? {} : { gate_id: gate.todo_id }),
      next,
    },
    text: (style) =>
      joinLines(
        gate === null
          ? `${changed ? words.done : words.already}: ${style.bold(goal.goal_id)}`
          : `waits for an owner: ${style.bold(goal.goal_id)}`,
        `  status ${goal.status} · revision ${goal.revision} · ${renderBudget(goal)}${goal.reason === null ? "" : ` · reason: ${goal.reason}`}`,
        renderNext(next, style, isForOwner ? OWNER_RUNS_THESE : "next"),
      ),
  };
}

function listNext({ goal, gate }: ChangedGoal): string {
  const { goal_id: goalId } = goal;
  if (gate !== null) return printCommand("gate show", { goalId, gateId: gate.todo_id }).shell;
  switch (goal.status) {
    case "active":
      return printCommand("status", { goalId }).shell;
    case "paused":
      return printCommand("goal resume", { goalId }).shell;
    case "completed":
    case "stopped":
      return printCommand("history", { goalId }).shell;
  }
}
