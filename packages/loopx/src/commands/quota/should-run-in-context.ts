import { renderShouldRun } from "../../packets/should-run/should-run.ts";
import type { CommandHandler } from "../command-handler.ts";
import { renderFailedAsk, run as askWithoutContext, toAskRefusal, toNextTurnRequest } from "./should-run.ts";

/** Answers what the agent may do next, with the context that `--context-profile` names beside it. */
export const run: CommandHandler<"quota should-run"> = async (input) => {
  const { flags, globals, ambient } = input;
  const { goalId, agentId, contextProfile: profile } = flags;
  if (profile === undefined) return askWithoutContext(input);
  try {
    const { askInContext } = await import("../../goal-context/ask-in-context.ts");
    const { next, context } = await askInContext(
      {
        query: { globals, ambient, goalId },
        profile,
        toRequest: (database) => toNextTurnRequest(input, database),
        toError: (refusal, database) => toAskRefusal(refusal, database, goalId),
      },
      ambient,
    );
    return renderShouldRun(next, { goalId, agentId, now: ambient.now(), context });
  } catch (error) {
    return renderFailedAsk(error, input);
  }
};
