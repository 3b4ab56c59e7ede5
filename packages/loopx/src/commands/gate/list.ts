import { listLiveGates, type Todo } from "@loopx/control-plane";
import { printCommand } from "../../command-line/print-command.ts";
import { renderTable } from "../../output/render-table.ts";
import { toGatePacket } from "../../packets/gate-packet.ts";
import { joinLines, renderNext } from "../../packets/render-facts.ts";
import { withGoal } from "../../project/resolve-project.ts";
import type { CommandHandler } from "../command-handler.ts";

const SHOWN = 50;

/** Lists the gates that still ask or hold. */
export const run: CommandHandler<"gate list"> = async ({ flags, globals, ambient }) =>
  withGoal({ globals, ambient, goalId: flags.goalId }, "read", async (project, goalId) => {
    const gates = await project.database.read((tx) => listLiveGates(tx, goalId, SHOWN));
    const next = gates
      .slice(0, 1)
      .map(
        (gate) =>
          printCommand("gate decide", { goalId, gateId: gate.todo_id, decision: "<approve|reject|defer>" }).shell,
      );
    return {
      packet: { ok: true, schema_version: "loopx_gate_list_v1", goal_id: goalId, gates: gates.map(toGatePacket), next },
      text: (style) =>
        gates.length === 0
          ? "no open gates"
          : joinLines(renderTable(COLUMNS, gates.map(toRow), style), renderNext(next, style)),
    };
  });

const COLUMNS = [
  { title: "GATE" },
  { title: "KIND" },
  { title: "DECISION" },
  { title: "BLOCKS" },
  { title: "QUESTION" },
];

function toRow(gate: Todo): readonly string[] {
  return [
    gate.todo_id,
    gate.gate?.kind ?? "",
    gate.gate?.decision ?? "open",
    gate.gate?.blocks.join(", ") ?? "",
    gate.text,
  ];
}
