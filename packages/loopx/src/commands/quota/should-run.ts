import { ERROR_TABLE, fromRefusal, isLoopxError, LoopxError, type Refusal } from "@loopx/contracts";
import { askNextTurn, CONTEXT_NOT_FETCHED, findGoal, type NextTurnRequest } from "@loopx/control-plane";
import type { Database } from "@loopx/store";
import { printCommand } from "../../command-line/print-command.ts";
import type { CommandResult } from "../../output/command-result.ts";
import { renderShouldRun, renderShouldRunFailure } from "../../packets/should-run/should-run.ts";
import { findThreadId } from "../../project/identify-caller.ts";
import { loadLeaseTtl } from "../../project/lease-ttl.ts";
import { isOpenGoal } from "../../project/meant-goal.ts";
import { withGoal } from "../../project/resolve-project.ts";
import type { CommandHandler, CommandInput } from "../command-handler.ts";

type Input = CommandInput<"quota should-run">;

/** Answers what the agent may do next. What cannot be read or trusted is answered `repair`, never `run`. */
export const run: CommandHandler<"quota should-run"> = async (input) => {
  try {
    return await ask(input);
  } catch (error) {
    return renderFailedAsk(error, input);
  }
};

/** Who asked, as far as a failed answer needs it. */
type Asker = Pick<Input, "ambient"> & {
  readonly flags: Pick<Input["flags"], "goalId" | "agentId" | "threadId" | "hostSurface">;
};

/** The answer to a question that failed; throws on what is no state of the world. */
export function renderFailedAsk(error: unknown, asker: Asker): CommandResult {
  if (!isLoopxError(error) || !isAnswer(error)) throw error;
  return renderShouldRunFailure(addRepair(error, asker), asker.flags);
}

async function ask({ flags, globals, ambient }: Input): Promise<CommandResult> {
  return withGoal({ globals, ambient, goalId: flags.goalId }, "write", async (project, goalId) => {
    const request = await toNextTurnRequest({ flags, ambient }, project.database);
    // This program fetches nothing: whoever wants context gets no turn from it.
    const wanted = flags.contextProfile === undefined ? {} : { context: CONTEXT_NOT_FETCHED };
    const next = await askNextTurn(project.database, { ...request, ...wanted }, ambient);
    if (!next.ok) throw await toAskRefusal(next, project.database, goalId);
    return renderShouldRun(next, { goalId, agentId: flags.agentId, now: ambient.now() });
  });
}

/** Who asks, and under which lease. */
export async function toNextTurnRequest(
  { flags, ambient }: Pick<Input, "flags" | "ambient">,
  database: Database,
): Promise<NextTurnRequest> {
  return {
    goalId: flags.goalId,
    agentId: flags.agentId,
    turnId: flags.turn ?? null,
    threadId: findThreadId(ambient, flags.threadId),
    leaseTtlMs: await loadLeaseTtl(database, flags.leaseTtl),
  };
}

/** A goal that takes no more work gets no new lanes either. */
export async function toAskRefusal(refusal: Refusal, database: Database, goalId: string): Promise<LoopxError> {
  if (refusal.code !== "unknown_agent") return fromRefusal(refusal);
  const goal = await database.read((tx) => findGoal(tx, goalId));
  if (goal === undefined || isOpenGoal(goal)) return fromRefusal(refusal);
  const message = `${refusal.message}, and the goal is ${goal.status}`;
  return fromRefusal({
    ...refusal,
    message,
    hint: printCommand("goal show", { goalId }).shell,
    details: { goal_status: goal.status },
  });
}

/** Usage and our own faults stay failures; the state of the world is an answer. */
function isAnswer(error: LoopxError): boolean {
  const { category } = ERROR_TABLE[error.code];
  return category !== "usage" && category !== "internal" && error.code !== "interrupted";
}

function addRepair(error: LoopxError, { flags, ambient }: Asker): LoopxError {
  const hint = findRepair(error, flags, findThreadId(ambient, flags.threadId));
  if (hint === undefined) return error;
  const { message, details } = error;
  return new LoopxError(error.code, { message, hint, ...(details === undefined ? {} : { details }), cause: error });
}

function findRepair(error: LoopxError, flags: Asker["flags"], threadId: string | null): string | undefined {
  const { goalId, agentId } = flags;
  if (error.code === "unknown_agent" && error.details?.["goal_status"] === undefined) {
    return printCommand("register-agent", { goalId, agentId, execute: true }).shell;
  }
  if (error.code !== "binding_not_verified" || threadId === null) return undefined;
  const hostSurface = flags.hostSurface ?? "<host-surface>";
  return printCommand("bind-agent-thread", { goalId, agentId, threadId, hostSurface, execute: true }).shell;
}
