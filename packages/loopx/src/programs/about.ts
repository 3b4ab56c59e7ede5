import type { CommandLoaders } from "../commands/command-handler.ts";
import * as help from "../commands/help.ts";
import { run as showVersion } from "../commands/version.ts";
import { runIfAble } from "./run-if-able.ts";

export const ABOUT_LOADERS: Partial<CommandLoaders> = {
  help: async () => help,
  version: async () => ({ run: showVersion }),
};

/** What LoopX says of itself. */
export function run(argv: readonly string[]): Promise<boolean> {
  return runIfAble(argv, ABOUT_LOADERS);
}
