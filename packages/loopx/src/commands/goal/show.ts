import { loadGoal, listAgents, loadTurnUse, countTodosByStatus } from "@loopx/control-plane";
import { printCommand } from "../../command-line/print-command.ts";
import { renderBudget, toFullGoalPacket } from "../../packets/goal-packet.ts";
import { joinLines, renderFacts, renderNext } from "../../packets/render-facts.ts";
import { unwrap } from "../../packets/unwrap.ts";
import { withGoal } from "../../project/resolve-project.ts";
import type { CommandHandler } from "../command-handler.ts";

const AGENTS_SHOWN = 50;

/** Shows one goal: objective, budget, lanes and how far it is. */
export const run: CommandHandler<"goal show"> = async ({ flags, globals, ambient }) =>
  withGoal({ globals, ambient, goalId: flags.goalId }, "read", async (project, goalId) => {
    const shown = await project.database.read(async (tx) => ({
      goal: unwrap(await loadGoal(tx, goalId)).goal,
      agents: (await listAgents(tx, goalId)).map((agent) => agent.agent_id),
      use: await loadTurnUse(tx, goalId, null),
      todos: await countTodosByStatus(tx, goalId),
    }));
    const { goal, agents, use, todos } = shown;
    const next = [printCommand("todo list", { goalId }).shell];
    return {
      packet: {
        ok: true,
        schema_version: "loopx_goal_show_v1",
        project_root_label: project.label,
        goal: toFullGoalPacket(goal),
        used_turns: use.total,
        agents: agents.slice(0, AGENTS_SHOWN),
        todos,
      },
      text: (style) =>
        joinLines(
          renderFacts(
            [
              ["objective", goal.objective],
              ["active state id", goal.goal_id],
              ["status", goal.status],
              ["revision", String(goal.revision)],
              ["budget", `${use.total} used, ${renderBudget(goal)}`],
              ["agents", agents.join(", ") || "none yet"],
              ["todos", renderCounts(todos)],
              ["project", project.label],
            ],
            style,
          ),
          renderNext(next, style),
        ),
    };
  });

export function renderCounts(counts: Readonly<Partial<Record<string, number>>>): string {
  const parts = Object.entries(counts).map(([status, count]) => `${count} ${status}`);
  return parts.join(", ") || "none yet";
}
