import { detachContext } from "@loopx/control-plane";
import { printCommand } from "../../command-line/print-command.ts";
import { renderAttachmentChange } from "../../goal-context/attachment-packet.ts";
import { unwrap } from "../../packets/unwrap.ts";
import { identifyCaller } from "../../project/identify-caller.ts";
import { withGoal } from "../../project/resolve-project.ts";
import type { CommandHandler } from "../command-handler.ts";

/** Takes an attachment back. */
export const run: CommandHandler<"context detach"> = async ({ flags, globals, ambient, facts }) => {
  const { goalId, profile } = flags;
  const caller = await identifyCaller({ ambient, facts }, flags);
  return withGoal({ globals, ambient, goalId }, "write", async ({ database }) => {
    const answer = unwrap(await detachContext(database, { goalId, profile, caller }, ambient));
    const next = [printCommand("context attached", { goalId }).shell];
    return renderAttachmentChange({ done: "detached", already: "detached already" }, answer, next);
  });
};
