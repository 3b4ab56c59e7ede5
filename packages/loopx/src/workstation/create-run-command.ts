import { resolve } from "node:path";
import { toAmbientAt } from "../ambient.ts";
import { printCommand } from "../command-line/print-command.ts";
import type { CommandInput } from "../commands/command-handler.ts";
import type { ProcessFacts } from "../process-facts.ts";
import { answerCommandLine } from "../run-command-line.ts";
import type { Standing } from "./standing.ts";
import type { RunCommand } from "./workstation-world.ts";

/** Nobody sits at a terminal here: who calls follows from who started the server. */
function toFacts({ mayDecide }: Standing): ProcessFacts {
  const terminal = { isStdinTerminal: false, isStdoutTerminal: false, isStderrTerminal: false, columns: 80 };
  return mayDecide ? { ...terminal, isOwnersWorkstation: true } : terminal;
}

/** Runs commands with the standing of the server. */
export function createRunCommand(input: CommandInput<"workstation">, standing: Standing): RunCommand {
  const { ambient, globals, loaders, mayRunChecks, note, onInterrupt } = input;
  const facts = toFacts(standing);
  const registry = globals.registry === undefined ? undefined : resolve(ambient.cwd, globals.registry);
  const startedFor = globals.project === undefined ? undefined : resolve(ambient.cwd, globals.project);
  return (name, flags, { root = startedFor, positionals = [] } = {}) => {
    const inProject = root === undefined ? {} : { project: "." };
    const named = { ...inProject, ...(registry === undefined ? {} : { registry }) };
    const { argv } = printCommand(name, flags, { globals: named, positionals });
    return answerCommandLine(argv.slice(1), {
      ambient: root === undefined ? ambient : toAmbientAt(ambient, { cwd: root }),
      facts,
      loaders,
      mayRunChecks,
      note,
      onInterrupt,
      untilInterrupted: () => Promise.resolve(),
    });
  };
}
