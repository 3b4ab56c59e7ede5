import { isLoopxError, quoteForShell } from "@loopx/contracts";
import { listAgents, listGoals, listLiveGates, listTodoIds } from "@loopx/control-plane";
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
      const chosen = flags.goalId === undefined ? goals : [flags.goalId];
      const ids: string[] = flags.kind === "goal" ? [...goals] : [];
      for (const goalId of chosen) ids.push(...(await listIds(tx, goalId, flags)));
      // A shell writes into its line what it is given; an id of ours needs no quotes, one made elsewhere may.
      return ids.filter((id) => quoteForShell(id) === id).slice(0, SHOWN);
    }),
  );
}

async function listIds(tx: Transaction, goalId: string, { kind, state }: Input["flags"]): Promise<readonly string[]> {
  switch (kind) {
    case "agent":
      return (await listAgents(tx, goalId)).map((agent) => agent.agent_id);
    case "gate":
      return (await listLiveGates(tx, goalId, SHOWN)).map((gate) => gate.todo_id);
    case "todo":
      return listTodoIds(tx, goalId, { state: state ?? null, limit: SHOWN });
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
