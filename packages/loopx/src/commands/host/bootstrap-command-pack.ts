import { isLoopxError } from "@loopx/contracts";
import { parseObjective } from "@loopx/control-plane";
import { renderCommandPack, renderCommandPackText } from "@loopx/host-commands";
import { printForHosts } from "../../command-line/print-for-hosts.ts";
import { findUserHome } from "../../project/home-location.ts";
import { findProjectFolder } from "../../project/project-folder.ts";
import { findMainWorktree, findRegisteredRoot, hasStore, toRootLabel } from "../../project/project-roots.ts";
import type { CommandHandler, CommandInput } from "../command-handler.ts";
import { loadStartFacts } from "./start-facts.ts";

type Input = CommandInput<"bootstrap-command-pack">;

/** Shows how the project stands and what comes next. May follow a linked worktree to its registered source. */
export const run: CommandHandler<"bootstrap-command-pack"> = async (input) => {
  const { flags, globals, ambient } = input;
  if (flags.goalText !== undefined) parseObjective(flags.goalText, "goal_text");
  const place = findPlace(input);
  const facts = await loadStartFacts({ root: place?.root, globals, ambient, flags: {} });
  const packet = renderCommandPack(
    {
      ...facts,
      newPeer: false,
      goalText: flags.goalText,
      followedWorktreeToLabel: place?.followed === true ? toRootLabel(place.root) : undefined,
    },
    printForHosts,
  );
  return { packet, text: () => renderCommandPackText(packet) };
};

function findPlace(input: Input): { readonly root: string; readonly followed: boolean } | undefined {
  try {
    const folder = findProjectFolder(input);
    const userHome = findUserHome(input.ambient.env);
    const root = findRegisteredRoot(folder, userHome) ?? folder;
    if (hasStore(root)) return { root, followed: false };
    const main = findMainWorktree(folder, userHome);
    return main !== undefined && main !== folder && hasStore(main)
      ? { root: main, followed: true }
      : { root, followed: false };
  } catch (error) {
    if (isLoopxError(error) && error.code === "project_not_resolved") return undefined;
    throw error;
  }
}
