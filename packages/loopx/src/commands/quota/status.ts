import { addMs } from "@loopx/contracts";
import {
  countOpenTurns,
  findOpenTurn,
  listAgents,
  listLatestTurns,
  loadGoal,
  loadTurnUse,
  type Turn,
} from "@loopx/control-plane";
import { renderTable } from "../../output/render-table.ts";
import { renderTurnUse, toGoalPacket } from "../../packets/goal-packet.ts";
import { joinLines, renderFacts } from "../../packets/render-facts.ts";
import { unwrap } from "../../packets/unwrap.ts";
import { withGoal } from "../../project/resolve-project.ts";
import type { CommandHandler } from "../command-handler.ts";

const LANES_SHOWN = 20;
const TURNS_SHOWN = 5;

/** Shows what the goal has used and the turns of its lanes. Charges nothing. */
export const run: CommandHandler<"quota status"> = async ({ flags, globals, ambient }) =>
  withGoal({ globals, ambient, goalId: flags.goalId }, "read", async (project, goalId) => {
    const shown = await project.database.read(async (tx) => {
      const { goal } = unwrap(await loadGoal(tx, goalId));
      const windowStart = goal.budget_window_ms === null ? null : addMs(ambient.now(), -goal.budget_window_ms);
      const lanes = (await listAgents(tx, goalId))
        .map((agent) => agent.agent_id)
        .filter((agentId) => flags.agentId === undefined || agentId === flags.agentId)
        .slice(0, LANES_SHOWN);
      const turns: Turn[] = [];
      for (const agentId of lanes) {
        const open = await findOpenTurn(tx, goalId, agentId);
        const latest = await listLatestTurns(tx, goalId, { agentId, limit: TURNS_SHOWN });
        turns.push(...(flags.agentId === undefined ? (open ? [open] : []) : latest));
      }
      const use = await loadTurnUse(tx, goalId, windowStart);
      return { goal, use, openCount: await countOpenTurns(tx, goalId), turns };
    });
    const { goal, use, openCount, turns } = shown;
    return {
      packet: {
        ok: true,
        schema_version: "loopx_quota_status_v1",
        goal: toGoalPacket(goal),
        used_turns: use.total,
        open_turns: openCount,
        ...(goal.budget_window_ms === null ? {} : { used_turns_in_window: use.inWindow }),
        turns: turns.map((turn) => ({
          turn_id: turn.turn_id,
          agent_id: turn.agent_id,
          todo_id: turn.todo_id,
          state: turn.state,
          opened_at: turn.opened_at,
          lease_expires_at: turn.lease_expires_at,
        })),
      },
      text: (style) =>
        joinLines(
          renderFacts(
            [
              ["goal", `${goal.goal_id} (${goal.status})`],
              ["budget", renderTurnUse(goal, { total: use.total, openCount })],
            ],
            style,
          ),
          turns.length === 0 ? "no open turn" : renderTable(COLUMNS, turns.map(toRow), style),
        ),
    };
  });

const COLUMNS = [
  { title: "TURN" },
  { title: "AGENT" },
  { title: "TODO" },
  { title: "STATE" },
  { title: "LEASE UNTIL" },
];

function toRow(turn: Turn): readonly string[] {
  return [turn.turn_id, turn.agent_id, turn.todo_id, turn.state, turn.lease_expires_at];
}
