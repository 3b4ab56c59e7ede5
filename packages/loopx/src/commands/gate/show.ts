import { LoopxError } from "@loopx/contracts";
import { findTodo } from "@loopx/control-plane";
import { printCommand } from "../../command-line/print-command.ts";
import { toGatePacket } from "../../packets/gate-packet.ts";
import { joinLines, oneOf, OWNER_RUNS_THESE, renderFacts, renderNext } from "../../packets/render-facts.ts";
import { withGoal } from "../../project/resolve-project.ts";
import type { CommandHandler } from "../command-handler.ts";

const VERDICTS = [
  { decision: "approve", decided: "approved" },
  { decision: "reject", decided: "rejected" },
] as const;

/** Shows one gate: its question, what it blocks, and how it is decided. */
export const run: CommandHandler<"gate show"> = async ({ flags, globals, ambient }) =>
  withGoal({ globals, ambient, goalId: flags.goalId }, "read", async (project, goalId) => {
    const todo = await project.database.read((tx) => findTodo(tx, goalId, flags.gateId));
    const gate = todo?.gate;
    if (todo === undefined || gate == null) {
      throw new LoopxError("unknown_gate", {
        message: "no gate of this goal has this id",
        hint: `loopx gate list --goal-id=${goalId}`,
        details: { gate_id: flags.gateId },
      });
    }
    const next = VERDICTS.filter(({ decided }) => decided !== gate.decision).map(
      ({ decision }) => printCommand("gate decide", { goalId, gateId: todo.todo_id, decision }).shell,
    );
    const proposed = gate.proposed_objective;
    return {
      packet: {
        ok: true,
        schema_version: "loopx_gate_show_v1",
        goal_id: goalId,
        gate: { ...toGatePacket(todo), created_by: todo.created_by, created_at: todo.created_at },
        ...(proposed === null ? {} : { proposed_objective: proposed }),
        decided_by: "owner",
        next: oneOf(next),
      },
      text: (style) =>
        joinLines(
          todo.text,
          proposed === null ? "" : `\n${style.dim("proposed objective")}\n${proposed}`,
          "",
          renderFacts(
            [
              ["gate", todo.todo_id],
              ["kind", gate.kind],
              ["blocks", gate.blocks.join(", ") || "nothing"],
              ["decision", gate.decision ?? "open"],
              ["decided by", gate.decided_by],
              ["reason", todo.reason],
              ["ask again", gate.ask_again_at],
              ["asked by", `${todo.created_by} at ${todo.created_at}`],
            ],
            style,
          ),
          renderNext(oneOf(next), style, OWNER_RUNS_THESE),
        ),
    };
  });
