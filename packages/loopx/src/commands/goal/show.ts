import {
  countOpenForOwner,
  countOpenTurns,
  countTodosByStatus,
  listAgents,
  loadGoal,
  loadTurnUse,
} from "@loopx/control-plane";
import { printCommand } from "../../command-line/print-command.ts";
import { renderTurnUse, toFullGoalPacket } from "../../packets/goal-packet.ts";
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
      openCount: await countOpenTurns(tx, goalId),
      todos: await countTodosByStatus(tx, goalId),
      forOwner: await countOpenForOwner(tx, goalId),
    }));
    const { goal, agents, use, openCount, todos, forOwner } = shown;
    const next = [printCommand("todo list", { goalId }).shell];
    return {
      packet: {
        ok: true,
        schema_version: "loopx_goal_show_v1",
        project_root_label: project.label,
        goal: toFullGoalPacket(goal),
        used_turns: use.total,
        ...(openCount === 0 ? {} : { open_turns: openCount }),
        agents: agents.slice(0, AGENTS_SHOWN),
        todos,
        ...(forOwner === 0 ? {} : { todos_for_owner: forOwner }),
      },
      text: (style) =>
        joinLines(
          renderFacts(
            [
              ["objective", goal.objective],
              ["active state id", goal.goal_id],
              ["status", goal.status],
              ["revision", String(goal.revision)],
              ["budget", renderTurnUse(goal, { total: use.total, openCount })],
              ["agents", agents.join(", ") || "none yet"],
              ["todos", renderCounts(todos, forOwner)],
              ["project", project.label],
            ],
            style,
          ),
          renderNext(next, style),
        ),
    };
  });

/** `3 open (1 for an owner), 2 done`: lists of an agent's work don't show what is an owner's. */
export function renderCounts(counts: Readonly<Partial<Record<string, number>>>, forOwner: number): string {
  const note = forOwner === 0 ? "" : ` (${forOwner} for an owner)`;
  const parts = Object.entries(counts).map(([status, count]) => `${count} ${status}${status === "open" ? note : ""}`);
  return parts.join(", ") || "none yet";
}
