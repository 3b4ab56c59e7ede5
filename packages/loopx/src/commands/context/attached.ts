import { listContextAttachments, loadGoal } from "@loopx/control-plane";
import { toAttachmentFacts, toAttachmentPacket } from "../../goal-context/attachment-packet.ts";
import { joinLines, renderFacts } from "../../packets/render-facts.ts";
import { unwrap } from "../../packets/unwrap.ts";
import { withGoal } from "../../project/resolve-project.ts";
import type { CommandHandler } from "../command-handler.ts";

/** Shows what is attached to a goal. */
export const run: CommandHandler<"context attached"> = async ({ flags, globals, ambient }) =>
  withGoal({ globals, ambient, goalId: flags.goalId }, "read", async ({ database }, goalId) => {
    const attachments = await database.read(async (tx) => {
      unwrap(await loadGoal(tx, goalId));
      return listContextAttachments(tx, goalId);
    });
    return {
      packet: {
        ok: true,
        schema_version: "loopx_context_attached_v1",
        goal_id: goalId,
        attached: attachments.map(toAttachmentPacket),
      },
      text: (style) =>
        attachments.length === 0
          ? "no context is attached to the goal"
          : joinLines(
              ...attachments.map((attachment) =>
                joinLines(style.bold(attachment.profile), renderFacts(toAttachmentFacts(attachment), style)),
              ),
            ),
    };
  });
