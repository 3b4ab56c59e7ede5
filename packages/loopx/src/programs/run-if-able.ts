import { parseCommandLine } from "../command-line/parse-command-line.ts";
import type { CommandLoaders } from "../commands/command-handler.ts";
import { runProcess } from "../run-process.ts";

/** Runs a command line whose command is among the loaders; false, with nothing done, for any other command. */
export async function runIfAble(argv: readonly string[], loaders: Partial<CommandLoaders>): Promise<boolean> {
  const parsed = parseCommandLine(argv);
  if (parsed.kind === "command" && loaders[parsed.command.name] === undefined) return false;
  await runProcess(argv, loaders);
  return true;
}
