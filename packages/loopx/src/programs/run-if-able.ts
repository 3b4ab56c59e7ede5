import { parseCommandLine, type ParsedCommandLine } from "../command-line/parse-command-line.ts";
import type { CommandLoaders } from "../commands/command-handler.ts";
import { runProcess } from "../run-process.ts";

/** Runs a command line whose command is among the loaders; false, with nothing done, for any other command. */
export async function runIfAble(argv: readonly string[], loaders: Partial<CommandLoaders>): Promise<boolean> {
  if (!isAble(argv, loaders)) return false;
  await runProcess(argv, loaders);
  return true;
}

/** True where the loaders hold all that the line asks for. What is wrong with a line is said by the whole program. */
export function isAble(argv: readonly string[], loaders: Partial<CommandLoaders>): boolean {
  const needed = findNeededCommand(parseCommandLine(argv));
  return needed !== undefined && loaders[needed] !== undefined;
}

function findNeededCommand(parsed: ParsedCommandLine): keyof CommandLoaders | undefined {
  switch (parsed.kind) {
    case "command":
      return parsed.command.name;
    case "version":
      return "version";
    case "help":
    case "welcome":
      return "help";
    case "refused":
      return undefined;
    default:
      throw new TypeError(`no program for ${JSON.stringify(parsed satisfies never)}`);
  }
}
