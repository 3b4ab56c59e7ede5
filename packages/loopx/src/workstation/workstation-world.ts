import type { Ambient } from "@loopx/contracts";
import type { CommandName, FlagInputsOf } from "../command-table/command-table.ts";
import type { Globals } from "../command-table/global-flags.ts";
import type { KeptProjects } from "../global/survey.ts";
import type { CommandAnswer } from "../run-command-line.ts";
import type { ChangeFeed } from "./live/change-feed.ts";
import type { Standing } from "./standing.ts";

/** What the server was told at its start about runtime context. */
export interface NamedContext {
  readonly project: string | undefined;
  readonly binding: string | undefined;
  readonly traces: readonly string[];
}

/** Everything a route gets. */
export interface WorkstationWorld {
  readonly ambient: Ambient;
  readonly globals: Pick<Globals, "project" | "registry">;
  /** Changes with every start. */
  readonly serverId: string;
  readonly standing: Standing;
  readonly context: NamedContext;
  readonly changes: ChangeFeed;
  /** What overviews read before, so that the next one reads only what changed. */
  readonly kept: KeptProjects;
  /**
   * Runs a command for the person at the page, in this process: the same packet as on the command line, and never a throw.
   * What it records as its actor is an owner through the Workstation, or where the server is no owner's, who started it.
   */
  readonly runCommand: RunCommand;
  /** Calls `end` when the server stops; gives what takes that back. */
  readonly onStop: (end: () => void) => () => void;
}

export type RunCommand = <Name extends CommandName>(
  name: Name,
  flags: FlagInputsOf<Name>,
  place?: CommandPlace,
) => Promise<CommandAnswer>;

export interface CommandPlace {
  /** Root of the project to run in; without it the goal's id finds it, as on the command line. */
  readonly root?: string | undefined;
  readonly positionals?: readonly string[];
}
