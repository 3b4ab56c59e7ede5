import { isLoopxError, LoopxError, type Ambient } from "@loopx/contracts";
import { countOpenForOwner, countTodosByStatus, findAgent, loadGoal, mirrorGoal } from "@loopx/control-plane";
import { printCommand } from "../../command-line/print-command.ts";
import type { CommandResult } from "../../output/command-result.ts";
import { joinLines, renderNext } from "../../packets/render-facts.ts";
import { unwrap } from "../../packets/unwrap.ts";
import { withHomeToWrite } from "../../project/open-home.ts";
import type { OpenProject } from "../../project/open-project.ts";
import { renderCounts } from "../goal/show.ts";

/**
 * Brings the home's mirror of a goal up to date and says how the goal stands; records nothing.
 *
 * A home that cannot be written is said and is no failure: the project's store is the source.
 */
export async function syncState(
  project: OpenProject,
  lane: { readonly goalId: string; readonly agentId: string },
  ambient: Ambient,
): Promise<CommandResult> {
  const { goalId } = lane;
  const state = await project.database.read(async (tx) => {
    const { goal } = unwrap(await loadGoal(tx, goalId));
    if ((await findAgent(tx, goalId, lane.agentId)) === undefined) {
      throw new LoopxError("unknown_agent", {
        message: "the agent is not registered in this goal",
        details: { goal_id: goalId },
      });
    }
    return { goal, todos: await countTodosByStatus(tx, goalId), forOwner: await countOpenForOwner(tx, goalId) };
  });
  const isHomeSynced = await syncHome(project, goalId, ambient);
  const next = [printCommand("quota should-run", lane).shell];
  return {
    packet: {
      ok: true,
      schema_version: "loopx_refresh_state_v1",
      goal_id: goalId,
      recorded: false,
      goal_status: state.goal.status,
      goal_revision: state.goal.revision,
      todo_counts: state.todos,
      home_synced: isHomeSynced,
      next,
    },
    text: (style) =>
      joinLines(
        `${style.bold(goalId)} is ${state.goal.status}, revision ${state.goal.revision}; todos: ${renderCounts(state.todos, state.forOwner)}`,
        isHomeSynced ? "" : "  the LoopX home cannot be written from here; the project's own state is complete",
        renderNext(next, style),
      ),
  };
}

async function syncHome(project: OpenProject, goalId: string, ambient: Ambient): Promise<boolean> {
  try {
    const { projectId } = project;
    await withHomeToWrite(ambient, (home) =>
      home.write((homeTx) =>
        project.database.read((tx) => mirrorGoal(homeTx, tx, { goalId, projectId, now: ambient.now() })),
      ),
    );
    return true;
  } catch (error) {
    if (isLoopxError(error) && (error.code === "home_not_writable" || error.code === "foreign_registry")) return false;
    throw error;
  }
}
