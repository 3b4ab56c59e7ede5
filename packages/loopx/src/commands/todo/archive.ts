import { archiveTodos } from "@loopx/control-plane";
import { renderQuantity } from "../../packets/render-facts.ts";
import { unwrap } from "../../packets/unwrap.ts";
import { identifyCaller } from "../../project/identify-caller.ts";
import { withGoal } from "../../project/resolve-project.ts";
import type { CommandHandler } from "../command-handler.ts";

const SHOWN = 20;

/** Takes finished todos off the list. */
export const run: CommandHandler<"todo archive"> = async ({ flags, globals, ambient, facts }) => {
  const caller = await identifyCaller({ ambient, facts }, flags);
  return withGoal({ globals, ambient, goalId: flags.goalId }, "write", async (project, goalId) => {
    const todoIds = flags.completed ? null : flags.todoId;
    const { archivedIds } = unwrap(await archiveTodos(project.database, { goalId, caller, todoIds }, ambient));
    return {
      packet: {
        ok: true,
        schema_version: "loopx_todo_archive_v1",
        goal_id: goalId,
        archived_count: archivedIds.length,
        archived: archivedIds.slice(0, SHOWN),
      },
      text: () =>
        archivedIds.length === 0 ? "nothing to archive" : `archived ${renderQuantity(archivedIds.length, "todo")}`,
    };
  });
};
