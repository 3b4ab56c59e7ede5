import type { GuidedStartFacts } from "../guided-start/guided-start-facts.ts";
import type { PrintCommand, PrintedFlag } from "../print-command.ts";

/** How a reader turns a choice into its exact command: the two joined by one space. */
export const RERUN_RULE = "Append the choice's rerun_argument to rerun_command.";

/** The flags that a choice of a gate adds to the caller's own command. */
export type ChosenFlag = "host-surface" | "goal-id" | "new-goal" | "agent-id" | "new-peer";

/**
 * Prints the caller's own `start-goal` command again, with some flags changed; `undefined` leaves one out.
 *
 * `start-goal` means exactly the project it is given, so `--project` is repeated as typed even once the project is connected.
 */
export function printRerunCommand(
  facts: GuidedStartFacts,
  print: PrintCommand,
  changes: Readonly<Partial<Record<ChosenFlag | "include-command-pack-detail", PrintedFlag>>> = {},
): string {
  return print("start-goal", {
    guided: true,
    project: facts.projectAsTyped,
    "goal-id": facts.goalId,
    "new-goal": facts.newGoal,
    "host-surface": facts.hostSurface,
    "thread-id": facts.threadId,
    "agent-id": facts.agentId,
    "new-peer": facts.newPeer,
    "goal-text": facts.goalText,
    "include-command-pack-detail": facts.includeDetail,
    ...changes,
  });
}

/** Prints flags alone, quoted like the command they are appended to. */
export function printArguments(print: PrintCommand, flags: Readonly<Partial<Record<ChosenFlag, PrintedFlag>>>): string {
  const command = print("start-goal", {});
  const extended = print("start-goal", flags);
  if (!extended.startsWith(`${command} `)) throw new RangeError("flags are not printed behind the command words");
  return extended.slice(command.length + 1);
}

/** How a choice is rerun: the argument to append, and with detail the whole command too. */
export interface ChoiceRerun {
  readonly rerun_argument: string;
  readonly rerun_command?: string;
}

/** Adds the whole command to a choice that carries an argument. Compact packets leave it out: it repeats the task text. */
export function spellOut<Choice extends Partial<ChoiceRerun>>(choice: Choice, rerunCommand: string): Choice {
  if (choice.rerun_argument === undefined) return choice;
  return { ...choice, rerun_command: `${rerunCommand} ${choice.rerun_argument}` };
}
