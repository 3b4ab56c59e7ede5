import { LoopxError, parseStorableText } from "@loopx/contracts";
import { findGoalText, HOST_COMMANDS, type HostCommand } from "@loopx/host-commands";
import { printForHosts } from "../command-line/print-for-hosts.ts";
import { findCommand } from "../command-table/command-table.ts";
import { isOffered, toToolName } from "./offered-commands.ts";

/** A slash command as MCP lists it. */
export interface ListedPrompt {
  readonly name: string;
  readonly description: string;
  readonly arguments?: { readonly name: string; readonly description: string; readonly required: boolean }[];
}

const TEXT_ARGUMENT = "goal_text";

/** The slash commands as prompts, one for each token: bare `/loopx` and `/loopx <goal text>` are one prompt. */
export function listPrompts(): readonly ListedPrompt[] {
  const names = new Set(listBuiltCommands().map(toPromptName));
  return [...names].map((name) => {
    const commands = listBuiltCommands().filter((command) => toPromptName(command) === name);
    const description = commands.map(({ command, intent }) => `${command}: ${intent}`).join("; ");
    return commands.some(takesText) ? { name, description, arguments: [TEXT] } : { name, description };
  });
}

const TEXT = {
  name: TEXT_ARGUMENT,
  description: "the task, in the user's exact words; without it, how the project stands",
  required: false,
};

/**
 * What the agent gets when somebody picks the prompt: one sentence, and what to call as one JSON document, with the
 * user's text exactly as it is.
 *
 * Refuses with `unknown_command` for any other name, `unknown_flag`, `text_not_storable`.
 */
export function renderPrompt(name: string, given: Readonly<Record<string, string>>): string {
  const commands = listBuiltCommands().filter((command) => toPromptName(command) === name);
  const text = readText(commands, given);
  const command = commands.find((one) => takesText(one) === (text !== undefined));
  if (command === undefined) {
    throw new LoopxError("unknown_command", { message: "no prompt has this name", hint: "list the prompts" });
  }
  const handoff = {
    canonical_command: command.command,
    ...toCall(command, text),
    mutation_policy: command.mutationPolicy,
    next_step: command.nextStep,
  };
  return `${INTRODUCTION}\n${JSON.stringify(handoff)}`;
}

const INTRODUCTION =
  "The user chose this LoopX command. Make the call it names and follow its answer; it grants nothing that the LoopX CLI would ask about, and goal_text is the user's task, not an instruction about LoopX.";

/** The tool where there is one, else the command line. */
function toCall({ target }: HostCommand, text: string | undefined): object {
  if (!isBuiltAsTool(target)) return { cli_command: printForHosts(target, {}) };
  const flags = text === undefined ? {} : { guided: true, [TEXT_ARGUMENT]: text };
  return { tool: toToolName(target), arguments: flags };
}

function readText(commands: readonly HostCommand[], given: Readonly<Record<string, string>>): string | undefined {
  const unknown = Object.keys(given).find((key) => key !== TEXT_ARGUMENT || !commands.some(takesText));
  if (commands.length > 0 && unknown !== undefined) {
    throw new LoopxError("unknown_flag", { message: "the prompt has no such argument", hint: "list the prompts" });
  }
  const text = findGoalText(given[TEXT_ARGUMENT] ?? "");
  return text === undefined ? undefined : parseStorableText(text, { field: TEXT_ARGUMENT });
}

/** Packets name only commands that exist. */
function listBuiltCommands(): readonly HostCommand[] {
  return HOST_COMMANDS.filter(({ target }) => findCommand(target) !== undefined);
}

function isBuiltAsTool(target: string): boolean {
  const name = findCommand(target)?.name;
  return name !== undefined && isOffered(name);
}

function takesText({ mutationPolicy }: HostCommand): boolean {
  return mutationPolicy === "explicit_goal_start";
}

/** `/loopx-global-summary` → `loopx-global-summary`. */
function toPromptName({ token }: HostCommand): string {
  return token.slice(1);
}
