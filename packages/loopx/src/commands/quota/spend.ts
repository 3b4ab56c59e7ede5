import { findThreadOfTurn, spendTurn } from "@loopx/control-plane";
import { printCommand } from "../../command-line/print-command.ts";
import { renderTurnUse } from "../../packets/goal-packet.ts";
import { joinLines, renderNext } from "../../packets/render-facts.ts";
import { unwrap } from "../../packets/unwrap.ts";
import { identifyCaller } from "../../project/identify-caller.ts";
import { withGoal } from "../../project/resolve-project.ts";
import type { CommandHandler } from "../command-handler.ts";

/** Charges one turn, once. */
export const run: CommandHandler<"quota spend"> = async ({ flags, globals, ambient, facts }) => {
  const caller = await identifyCaller({ ambient, facts }, flags);
  return withGoal({ globals, ambient, goalId: flags.goalId }, "write", async (project, goalId) => {
    const request = { goalId, caller, agentId: flags.agentId, turnId: flags.turn, todoId: flags.todoId ?? null };
    const spent = unwrap(await spendTurn(project.database, request, ambient));
    const isGoing = spent.goal.status === "active";
    // The thread that held this turn is to hold the next one too, or it would wait for itself.
    const threadId = findThreadOfTurn(spent.turn);
    const lane = { goalId, agentId: flags.agentId, ...(threadId === undefined ? {} : { threadId }) };
    const next = isGoing ? [printCommand("quota should-run", lane).shell] : [];
    return {
      packet: {
        ok: true,
        schema_version: "loopx_quota_spend_v1",
        spent: !spent.alreadySpent,
        already_spent: spent.alreadySpent,
        settlement_identity: spent.settlementIdentity,
        used_turns: spent.use.total,
        ...(spent.openTurnCount === 0 ? {} : { open_turns: spent.openTurnCount }),
        goal_status: spent.goal.status,
        next,
      },
      text: (style) =>
        joinLines(
          `${spent.alreadySpent ? "already charged" : "charged"} ${style.bold(spent.turn.turn_id)}`,
          `  ${renderTurnUse(spent.goal, { total: spent.use.total, openCount: spent.openTurnCount })} · goal ${spent.goal.status}`,
          renderNext(next, style),
        ),
    };
  });
};
