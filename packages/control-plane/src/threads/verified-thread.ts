import type { Transaction } from "@loopx/store";
import { listBindingsOfThread } from "./thread-binding-rows.ts";

/** True when a read-back binding of the thread in this goal, on whichever surface, names exactly this agent. */
export async function isThreadVerifiedFor(
  tx: Transaction,
  goalId: string,
  thread: { readonly threadId: string; readonly agentId: string },
): Promise<boolean> {
  const bindings = (await listBindingsOfThread(tx, thread.threadId)).filter((binding) => binding.goal_id === goalId);
  return bindings.length > 0 && bindings.every((binding) => binding.is_verified && binding.agent_id === thread.agentId);
}
