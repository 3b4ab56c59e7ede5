import { listActivations, listAgents, listGoals } from "@loopx/control-plane";
import { SURFACES } from "@loopx/host-commands";
import type { Database } from "@loopx/store";
import { printCommand } from "../../command-line/print-command.ts";
import { describeAgentLoop, listAgentLoops, type AgentLoop } from "../../packets/agent-loops.ts";
import { isOpenGoal } from "../../project/meant-goal.ts";

const LOOPS_SHOWN = 3;

type GoalLoop = AgentLoop & { readonly goalId: string };

interface LoopFinding {
  readonly state: "ok" | "warning";
  readonly found: string;
  readonly remedy?: string;
}

/** Looks at what open goals' lanes recorded of their loops; whether one still runs only its host knows. */
export async function checkAgentLoops(database: Database): Promise<LoopFinding> {
  const loops = await database.read(async (tx) => {
    const found: GoalLoop[] = [];
    for (const { goal_id: goalId } of (await listGoals(tx)).filter(isOpenGoal)) {
      const agents = (await listAgents(tx, goalId)).map((agent) => agent.agent_id);
      const ofGoal = listAgentLoops(agents, await listActivations(tx, goalId));
      found.push(...ofGoal.map((loop) => ({ ...loop, goalId })));
    }
    return found;
  });
  const open = loops.filter(({ state }) => state !== "current");
  if (open.length === 0) return { state: "ok", found: `${loops.length} on record` };
  const more = open.length > LOOPS_SHOWN ? `; ${open.length - LOOPS_SHOWN} more` : "";
  const found = `${open.slice(0, LOOPS_SHOWN).map(describeAgentLoop).join("; ")}${more}`;
  const remedy = printRemedy(open.find(({ state }) => state === "stale"));
  return { state: "warning", found, ...(remedy === undefined ? {} : { remedy }) };
}

/** Of a loop that was never recorded nobody knows the host. */
function printRemedy(stale: GoalLoop | undefined): string | undefined {
  const surface = SURFACES.find(({ hostSurface }) => hostSurface === stale?.host_surface);
  if (stale === undefined || surface === undefined) return undefined;
  const lane = { agentType: surface.agentType, goalId: stale.goalId, agentId: stale.agent_id };
  return printCommand("agent-onboard", lane).shell;
}
