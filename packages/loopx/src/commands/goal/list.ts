import { resolve } from "node:path";
import { cutText } from "@loopx/contracts";
import { listGoals, listRegisteredGoals, type Goal } from "@loopx/control-plane";
import { renderTable } from "../../output/render-table.ts";
import { toGoalPacket } from "../../packets/goal-packet.ts";
import { joinLines, renderNext } from "../../packets/render-facts.ts";
import { openHomeToRead } from "../../project/open-home.ts";
import { findUserHome, resolveHomeDirectory } from "../../project/home-location.ts";
import { findRealDirectory, findRegisteredRoot } from "../../project/project-roots.ts";
import { withProject } from "../../project/resolve-project.ts";
import type { CommandResult } from "../../output/command-result.ts";
import type { CommandHandler, CommandInput } from "../command-handler.ts";

const OBJECTIVE_SHOWN = 160;

/** Lists the goals of the project one stands in; elsewhere, those this machine knows. */
export const run: CommandHandler<"goal list"> = async (input) => {
  const { globals, ambient } = input;
  const start = findRealDirectory(resolve(ambient.cwd, globals.project ?? ".")) ?? ambient.cwd;
  const isInProject = findRegisteredRoot(start, findUserHome(ambient.env)) !== undefined;
  if (!isInProject && globals.project === undefined) return listMachineGoals(input);
  return withProject({ globals, ambient, goalId: undefined }, "read", async (project) =>
    renderGoals(await project.database.read(listGoals), project.label),
  );
};

function renderGoals(goals: readonly Goal[], label: string): CommandResult {
  return {
    packet: {
      ok: true,
      schema_version: "loopx_goal_list_v1",
      project_root_label: label,
      goals: goals.map(toGoalPacket),
    },
    text: (style) =>
      goals.length === 0
        ? joinLines("no goals yet", renderNext(["loopx bootstrap '--objective=<what to reach>'"], style))
        : renderTable(
            [{ title: "ACTIVE STATE ID" }, { title: "STATUS" }, { title: "OBJECTIVE" }],
            goals.map((goal) => [goal.goal_id, goal.status, cutText(goal.objective, OBJECTIVE_SHOWN).text]),
            style,
          ),
  };
}

async function listMachineGoals({ ambient }: CommandInput<"goal list">): Promise<CommandResult> {
  const home = await openHomeToRead(resolveHomeDirectory(ambient), ambient);
  const goals = home === undefined ? [] : await home.read(listRegisteredGoals);
  await home?.close();
  return {
    packet: {
      ok: true,
      schema_version: "loopx_goal_list_v1",
      goals: goals.map((goal) => ({ goal_id: goal.goal_id, project_root_label: goal.label })),
    },
    text: (style) =>
      goals.length === 0
        ? "no goals on this machine yet"
        : renderTable(
            [{ title: "ACTIVE STATE ID" }, { title: "PROJECT" }],
            goals.map((goal) => [goal.goal_id, goal.label]),
            style,
          ),
  };
}
