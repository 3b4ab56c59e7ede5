import { isLoopxError } from "@loopx/contracts";
import { listAgents, listGoals, listLiveGates, listTodos } from "@loopx/control-plane";
import type { Transaction } from "@loopx/store";
import type { CommandResult } from "../output/command-result.ts";
import { withProject } from "../project/resolve-project.ts";
import type { CommandHandler, CommandInput } from "./command-handler.ts";

type Input = CommandInput<"__complete">;

/** Lists ids for completion, one a line. Whatever fails, a shell that completes is not told: no ids. */
export const run: CommandHandler<"__complete"> = async (input) => {
  try {
    return render(await findIds(input));
  } catch (error) {
    if (!isLoopxError(error)) throw error;
    return render([]);
  }
};

function render(ids: readonly string[]): CommandResult {
  return { packet: { ok: true, ids }, text: () => ids.join("\n"), isData: true };
}

const SHOWN = 200;

async function findIds({ flags, globals, ambient }: Input): Promise<readonly string[]> {
  return withProject({ globals, ambient, goalId: flags.goalId }, "read", ({ database }) =>
    database.read(async (tx) => {
      const goals = (await listGoals(tx)).map((goal) => goal.goal_id);
      if (flags.kind === "goal") return goals;
      const chosen = flags.goalId === undefined ? goals : [flags.goalId];
      const ids: string[] = [];
      for (const goalId of chosen) ids.push(...(await listIds(tx, goalId, flags.kind)));
      return ids.slice(0, SHOWN);
    }),
  );
}

async function listIds(tx: Transaction, goalId: string, kind: Input["flags"]["kind"]): Promise<readonly string[]> {
  switch (kind) {
    case "agent":
      return (await listAgents(tx, goalId)).map((agent) => agent.agent_id);
    case "gate":
      return (await listLiveGates(tx, goalId, SHOWN)).map((gate) => gate.todo_id);
    case "todo": {
      const filter = { role: null, status: null, taskClass: null, agentId: null };
      return (await listTodos(tx, goalId, { filter, limit: SHOWN, cursor: null })).items.map((todo) => todo.todo_id);
    }
    case "turn": {
      const rows = await tx.all<{ turn_id: string }>(
        "SELECT turn_id FROM turns WHERE goal_id = ? AND state = 'open' ORDER BY opened_at DESC LIMIT ?",
        goalId,
        SHOWN,
      );
      return rows.map((row) => row.turn_id);
    }
    case "goal":
    case "thread":
    case "token":
      return [];
  }
}
