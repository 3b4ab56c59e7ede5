import { run as showHelp } from "../commands/help.ts";
import { run as showVersion } from "../commands/version.ts";
import { runIfAble } from "./run-if-able.ts";

/** What LoopX says of itself. */
export function run(argv: readonly string[]): Promise<boolean> {
  return runIfAble(argv, { help: async () => ({ run: showHelp }), version: async () => ({ run: showVersion }) });
}
