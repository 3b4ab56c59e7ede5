import { printCommand } from "../command-line/print-command.ts";

/** The command that completes a todo; of the last one there are two, since it has to be said what follows. */
export function printCompletions(
  completed: { readonly goalId: string; readonly todoId: string; readonly agentId: string; readonly turn: string },
  isLast: boolean,
): readonly string[] {
  const followUps = isLast ? [{ nextTodo: "<what follows>" }, { noFollowUp: true }] : [{}];
  return followUps.map((followUp) => printCommand("todo complete", { ...completed, ...followUp }).shell);
}
