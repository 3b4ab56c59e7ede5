import type { PrintCommand } from "../print-command.ts";

/** For whom a loop is activated. */
export interface ActivationTarget {
  readonly goalId: string;
  readonly agentId: string;
  readonly threadId: string | undefined;
}

/**
 * What an agent does each turn, in plain English. The commands carry the lane's ids; `<…>` words come from the packets.
 *
 * `loopRule` is the one sentence in which hosts differ: how the next turn comes and how the loop ends.
 */
export function renderTaskBody(target: ActivationTarget, loopRule: string, print: PrintCommand): string {
  const actor = { "goal-id": target.goalId, "agent-id": target.agentId };
  const turn = { ...actor, turn: "<turn>" };
  return [
    `Advance LoopX goal ${target.goalId} as agent ${target.agentId}. Each turn:`,
    `1. Run ${print("quota should-run", { ...actor, "thread-id": target.threadId })}`,
    "2. Obey its decision. run: work. replan: write todos or say that none follow. ask_user: show its questions, then stop. Anything else: report it and stop.",
    "3. Work on the returned todo only. Stop for approval before destructive git, credentials, private material, production or publication.",
    `4. Run ${print("refresh-state", { ...turn, outcome: "<outcome>", evidence: "<evidence>" })}`,
    `5. If the todo is done, run ${print("todo complete", { ...turn, "todo-id": "<todo>" })}`,
    `6. Run ${print("quota spend", turn)}`,
    "No evidence, no spend. Never decide your own gate. Never edit LoopX state by hand.",
    loopRule,
  ].join("\n");
}
