import { isLoopxError, LoopxError } from "@loopx/contracts";
import { listGoals, parseObjective, type Goal } from "@loopx/control-plane";
import { findHostMarker, HOST_NAMES, type InstallHost } from "@loopx/host-commands";
import { printCommand } from "../../command-line/print-command.ts";
import { findHosts } from "../../host-files/find-hosts.ts";
import { withQuestions, type Ask } from "../../input/ask-at-terminal.ts";
import { renderInit, type InitAnswer } from "../../packets/init-packet.ts";
import { findMeantGoal } from "../../project/meant-goal.ts";
import { findProjectFolder } from "../../project/project-folder.ts";
import { hasStore } from "../../project/project-roots.ts";
import { openProject } from "../../project/open-project.ts";
import type { CommandHandler, CommandInput } from "../command-handler.ts";
import { run as runBootstrap } from "./bootstrap.ts";
import { run as runSlashCommands } from "./slash-commands.ts";

type Input = CommandInput<"init">;

/** Sets up a project from nothing, by what `bootstrap` and `slash-commands --install` do. Asks at most three questions. */
export const run: CommandHandler<"init"> = async (input) => {
  const root = findProjectFolder(input);
  const goal = await findGoal(root, input);
  const choice = mayAsk(input)
    ? await withQuestions((ask) => askWhatIsMissing(ask, { input, goal }))
    : choose(input, goal);
  if (choice.goalText !== undefined) parseObjective(choice.goalText, "goal_text");
  const connected = await connect(input, choice.goalText);
  const installed = choice.hosts.length === 0 ? undefined : await install(input, choice.hosts);
  return renderInit({ connected, installed, goal, ...choice, isDryRun: input.flags.dryRun });
};

interface Choice {
  /** Undefined where the project keeps the goal it has. */
  readonly goalText: string | undefined;
  readonly hosts: readonly InstallHost[];
}

/** Questions are for a person who sees them: JSON is read by a program, and an agent's terminal by the agent. */
function mayAsk({ flags, globals, facts, ambient }: Input): boolean {
  const isTerminal = facts.isStdinTerminal && facts.isStderrTerminal && facts.isStdoutTerminal;
  return isTerminal && globals.format !== "json" && !flags.dryRun && findHostMarker(ambient.env) === undefined;
}

/** The goal that the project has, where it has one. A store that can't be read is `bootstrap`'s to explain. */
async function findGoal(root: string, { ambient }: Input): Promise<Goal | undefined> {
  if (!hasStore(root)) return undefined;
  try {
    const project = await openProject(root, "read", ambient);
    try {
      const goals = await project.database.read(listGoals);
      return findMeantGoal(goals) ?? goals[0];
    } finally {
      await project.database.close();
    }
  } catch (error) {
    if (isLoopxError(error)) return undefined;
    throw error;
  }
}

function choose(input: Input, goal: Goal | undefined): Choice {
  const { flags } = input;
  if (flags.goalText === undefined && goal === undefined && !flags.dryRun) {
    throw new LoopxError("missing_flag", {
      message: "without a terminal to ask at, init needs to be told what is to be done",
      hint: printCommand("init", { goalText: "<what you want done>" }).shell,
      details: { flags: ["--goal-text"] },
    });
  }
  return { goalText: flags.goalText, hosts: readHosts(input) ?? findHosts(input.ambient) };
}

/** Undefined where none was named. */
function readHosts({ flags }: Input): readonly InstallHost[] | undefined {
  const named = flags.surface.filter((host) => host !== "none");
  if (flags.surface.length > named.length && named.length > 0) {
    throw new LoopxError("invalid_value", {
      message: "--surface=none stands alone: it means that nothing is installed",
      details: { field: "--surface" },
    });
  }
  return flags.surface.length === 0 ? undefined : named;
}

async function askWhatIsMissing(
  ask: Ask,
  { input, goal }: { readonly input: Input; readonly goal: Goal | undefined },
): Promise<Choice> {
  const { flags, ambient } = input;
  const goalText =
    flags.goalText ?? (goal === undefined ? await askUntil(ask, "What do you want done? ", readText) : undefined);
  const named = readHosts(input);
  if (named !== undefined) return { goalText, hosts: named };
  const hosts = await askForHosts(ask, findHosts(ambient));
  if (hosts.length === 0) return { goalText, hosts };
  const names = hosts.map((host) => HOST_NAMES[host].label).join(", ");
  const isWanted = await askUntil(
    ask,
    `Write LoopX's commands, prompt hook and skill into ${names}? Your own settings stay. [Y/n] `,
    readYes,
  );
  return { goalText, hosts: isWanted ? hosts : [] };
}

function askForHosts(ask: Ask, found: readonly InstallHost[]): Promise<readonly InstallHost[]> {
  const all = Object.entries(HOST_NAMES) as readonly (readonly [InstallHost, { readonly label: string }])[];
  const lines = all.map(([host, { label }], at) => `  ${at + 1}  ${label}${found.includes(host) ? "  (found)" : ""}`);
  const preset = found.length === 0 ? "none" : "those found";
  const question = ["Which agents do you use?", ...lines, `Numbers, such as 1 2; 0 for none [${preset}]: `].join("\n");
  return askUntil(ask, question, (typed) => {
    if (typed === "") return found;
    const numbers = typed.split(/[\s,]+/).map(Number);
    const isFit = numbers.every((number) => Number.isInteger(number) && number >= 0 && number <= all.length);
    return isFit ? all.filter((_, at) => numbers.includes(at + 1)).map(([host]) => host) : undefined;
  });
}

function readText(typed: string): string | undefined {
  return typed === "" ? undefined : typed;
}

function readYes(typed: string): boolean | undefined {
  if (/^(?:y|yes)?$/i.test(typed)) return true;
  return /^(?:n|no)$/i.test(typed) ? false : undefined;
}

/** The same question until its answer is one. */
async function askUntil<Answer>(
  ask: Ask,
  question: string,
  read: (typed: string) => Answer | undefined,
): Promise<Answer> {
  for (;;) {
    const answer = read(await ask(question));
    if (answer !== undefined) return answer;
  }
}

async function connect(input: Input, objective: string | undefined): Promise<InitAnswer["connected"]> {
  const { dryRun, ownerTokenFile } = input.flags;
  const flags = {
    newId: false,
    newGoal: false,
    dryRun,
    ...(objective === undefined ? {} : { objective }),
    ...(ownerTokenFile === undefined ? {} : { ownerTokenFile }),
  };
  const { packet } = await runBootstrap({ ...input, flags });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what bootstrap says of itself is its interface
  return packet as InitAnswer["connected"];
}

async function install(input: Input, surface: readonly InstallHost[]): Promise<InitAnswer["installed"]> {
  const flags = {
    hostRegistry: false,
    install: true,
    uninstall: false,
    check: false,
    dryRun: input.flags.dryRun,
    surface,
  };
  const { packet } = await runSlashCommands({ ...input, flags });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- and so is what slash-commands says
  return packet as InitAnswer["installed"];
}
