import { dirname, isAbsolute, relative } from "node:path";
import { isLoopxError, type Ambient } from "@loopx/contracts";
import { decideGoalSelection, type HandoffFacts, type HandoffProject, type HostSurface } from "@loopx/host-commands";
import type { Globals } from "../command-table/global-flags.ts";
import { loadStartFacts } from "../commands/host/start-facts.ts";
import { findProjectFolder } from "../project/project-folder.ts";
import { findRealDirectory, toRootLabel } from "../project/project-roots.ts";

/** Where a message came from. */
export interface HandoffQuery {
  readonly globals: Globals;
  /** Its `cwd` is the folder in which the message was typed. */
  readonly ambient: Ambient;
  readonly hostSurface: HostSurface | undefined;
  readonly uiSurface: string;
  readonly threadId: string | undefined;
  readonly selectedFile: string | undefined;
}

/** Reads what a handoff says about project, goal and lane. Writes nothing; a store that can't be read leaves the ids out. */
export async function loadHandoffFacts(query: HandoffQuery): Promise<HandoffFacts> {
  const { hostSurface, uiSurface } = query;
  const root = findRoot(query);
  const named = root === undefined ? { threadId: query.threadId } : await findNames(root, query);
  return {
    hostSurface,
    uiSurface,
    project: root === undefined ? undefined : toProject(root, query),
    goalId: named.goalId,
    agentId: named.agentId,
    threadId: named.threadId,
  };
}

function findRoot(query: HandoffQuery): string | undefined {
  try {
    return findProjectFolder(query);
  } catch (error) {
    if (isLoopxError(error) && error.code === "project_not_resolved") return undefined;
    throw error;
  }
}

/** A packet has a budget; a longer way than this is left to whoever runs the command. */
const LONGEST_WAY = 256;

/**
 * The project as a command run where the message was typed names it: as typed, else by the way up or down to it.
 *
 * A way across other folders would show where this machine keeps things, so whoever runs the command goes to the root.
 */
function toProject(root: string, { globals, ambient }: HandoffQuery): HandoffProject {
  const label = toRootLabel(root);
  if (globals.project !== undefined && !isAbsolute(globals.project)) return { label, argument: globals.project };
  const cwd = findRealDirectory(ambient.cwd) ?? ambient.cwd;
  const path = relative(cwd, root);
  if (path === "") return { label, argument: "." };
  const isUp = /^\.\.(?:[/\\]\.\.)*$/.test(path);
  const isDown = !path.startsWith("..") && !isAbsolute(path) && dirname(cwd) !== cwd && path.length <= LONGEST_WAY;
  return isUp || isDown ? { label, argument: path } : { label, argument: ".", runsInRoot: true };
}

type Names = Partial<Pick<HandoffFacts, "goalId" | "agentId" | "threadId">>;

async function findNames(root: string, { globals, ambient, hostSurface, threadId }: HandoffQuery): Promise<Names> {
  try {
    const facts = await loadStartFacts({ root, globals, ambient, flags: { hostSurface, threadId } });
    const isConnected = facts.connection === "connected";
    const selection = decideGoalSelection({ ...facts, isConnected, newGoal: false });
    const { binding } = facts;
    return {
      threadId: facts.threadId,
      goalId: selection.kind === "existing_goal" ? selection.goalId : undefined,
      agentId: binding.status === "bound" && binding.isVerified ? binding.agentId : undefined,
    };
  } catch (error) {
    if (isLoopxError(error) && error.code !== "invalid_id") return { threadId };
    throw error;
  }
}
