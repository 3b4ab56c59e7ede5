import type { PrintCommand } from "../print-command.ts";

/** For whom a loop is activated. */
export interface ActivationTarget {
  readonly goalId: string;
  readonly agentId: string;
  readonly threadId: string | undefined;
}

/**
 * What an agent does each turn, in plain English. The guard carries the lane's ids, and its answer prints the commands that
 * settle the turn: they aren't repeated here, where only half of their words are known.
 *
 * `loopRule` is the one sentence in which hosts differ: how the next turn comes and how the loop ends.
 */
export function renderTaskBody(target: ActivationTarget, loopRule: string, print: PrintCommand): string {
  const actor = { "goal-id": target.goalId, "agent-id": target.agentId };
  return [
    `Advance LoopX goal ${target.goalId} as agent ${target.agentId}. Each turn:`,
    `1. Run ${print("quota should-run", { ...actor, "thread-id": target.threadId })}`,
    "2. Obey its decision. run: work. replan: write todos or say that none follow. ask_user: show its questions, then stop. Anything else: report it and stop.",
    "3. Work on the returned todo only. Stop for approval before destructive git, credentials, private material, production or publication.",
    "4. Then run the commands in its next in order, <> words filled in, one of each list of alternatives: refresh-state with evidence, todo complete if it is done, and quota spend.",
    "No evidence, no spend. Never decide your own gate. Never edit LoopX state by hand.",
    loopRule,
  ].join("\n");
}
