import { readText } from "./read-field.ts";
import type { WorkingGoal } from "./working-goal.ts";

/** Writes a decision gate as `agent-1` and gives its id. */
export async function createGate(
  { world, goalId }: WorkingGoal,
  gate: { readonly question: string; readonly blocks: string },
): Promise<string> {
  const words = ["todo", "add", `--goal-id=${goalId}`, "--role=user", "--agent-id=agent-1", "--task-class=user_gate"];
  const asked = [...words, "--gate-kind=decision", `--blocks=${gate.blocks}`, `--text=${gate.question}`];
  return readText(await world.call(asked), "todo", "todo_id");
}
