import { isLoopxError } from "@loopx/contracts";
import { parseObjective } from "@loopx/control-plane";
import {
  findGoalText,
  renderCommandPack,
  renderCommandPackText,
  renderGuidedStart,
  renderGuidedStartText,
} from "@loopx/host-commands";
import { printForHosts } from "../../command-line/print-for-hosts.ts";
import type { CommandResult } from "../../output/command-result.ts";
import { findProjectFolder } from "../../project/project-folder.ts";
import type { CommandHandler, CommandInput } from "../command-handler.ts";
import { loadStartFacts, type StartFacts } from "./start-facts.ts";

type Input = CommandInput<"start-goal">;

/** Plans a task for exactly this project, or says what must be chosen first. Writes nothing. */
export const run: CommandHandler<"start-goal"> = async (input) => {
  const { flags, globals, ambient } = input;
  const goalText = flags.goalText ?? findGoalText(flags.slashCommandArguments ?? "");
  const facts = await loadStartFacts({ root: findRoot(input), globals, ambient, flags });
  if (goalText === undefined) return renderBare(facts, flags.newPeer);
  parseObjective(goalText, "goal_text");
  const packet = renderGuidedStart(
    {
      ...facts,
      goalText,
      newGoal: flags.newGoal,
      newPeer: flags.newPeer,
      includeDetail: flags.includeCommandPackDetail,
    },
    printForHosts,
  );
  return { packet, text: () => renderGuidedStartText(packet) };
};

/** White space after `/loopx` is bare `/loopx`. */
function renderBare(facts: StartFacts, newPeer: boolean): CommandResult {
  const packet = renderCommandPack(
    { ...facts, newPeer, goalText: undefined, followedWorktreeToLabel: undefined },
    printForHosts,
  );
  return { packet, text: () => renderCommandPackText(packet) };
}

/** No root is an answer of its own: a setup packet, no write. */
function findRoot(input: Input): string | undefined {
  try {
    return findProjectFolder(input);
  } catch (error) {
    if (isLoopxError(error) && error.code === "project_not_resolved") return undefined;
    throw error;
  }
}
