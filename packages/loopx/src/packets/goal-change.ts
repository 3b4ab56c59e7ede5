import type { ChangedGoal } from "@loopx/control-plane";
import { printCommand } from "../command-line/print-command.ts";
import type { CommandResult } from "../output/command-result.ts";
import { renderBudget, toGoalPacket } from "./goal-packet.ts";
import { joinLines, renderNext } from "./render-facts.ts";

/** The answer of a command that changed a goal, found it so, or opened a gate for it. */
export function renderGoalChange(schemaVersion: string, verb: string, answer: ChangedGoal): CommandResult {
  const { goal, changed, gate } = answer;
  const next = gate === null ? [] : [printCommand("gate show", { goalId: goal.goal_id, gateId: gate.todo_id }).shell];
  return {
    packet: {
      ok: true,
      schema_version: schemaVersion,
      changed,
      goal: toGoalPacket(goal),
      ...(gate === null ? {} : { gate_id: gate.todo_id, next }),
    },
    text: (style) =>
      joinLines(
        gate === null
          ? `${changed ? "" : "already "}${verb}: ${style.bold(goal.goal_id)}`
          : `waits for an owner: ${style.bold(goal.goal_id)}`,
        `  status ${goal.status} · revision ${goal.revision} · ${renderBudget(goal)}${goal.reason === null ? "" : ` · reason: ${goal.reason}`}`,
        renderNext(next, style),
      ),
  };
}
