import type { CommandLoaders } from "../commands/command-handler.ts";
import { run as askNextTurn } from "../commands/quota/should-run.ts";
import { runIfAble } from "./run-if-able.ts";

export const SHOULD_RUN_LOADERS: Partial<CommandLoaders> = {
  "quota should-run": async () => ({ run: askNextTurn }),
};

/** The question that begins every turn. Its rules and those of the commands after it are as many bytes, and share few. */
export function run(argv: readonly string[]): Promise<boolean> {
  return runIfAble(argv, SHOULD_RUN_LOADERS);
}
