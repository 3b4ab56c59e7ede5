import { COMMAND_LOADERS } from "../commands/command-loaders.ts";
import { runProcess } from "../run-process.ts";

/** Every command, each loaded with what it needs. */
export function run(argv: readonly string[]): Promise<void> {
  return runProcess(argv, COMMAND_LOADERS);
}
