import type { Instant } from "@loopx/contracts";
import { hasLiveClaim } from "../todos/todo.ts";
import type { CandidateTodo, SelectedBy } from "./decision.ts";

export interface Selection {
  readonly todo: CandidateTodo;
  readonly selectedBy: SelectedBy;
}

/**
 * Picks one of the runnable todos. A total order, so the answer never depends on how they were listed:
 * priority, where the caller's own claim counts one level higher; then the caller's own; then written order.
 */
export function selectTodo(runnable: readonly CandidateTodo[], agentId: string, now: Instant): Selection | undefined {
  let best: { readonly todo: CandidateTodo; readonly isMine: boolean } | undefined;
  for (const todo of runnable) {
    const candidate = { todo, isMine: todo.claimed_by === agentId && hasLiveClaim(todo, now) };
    if (best === undefined || compareCandidates(candidate, best) < 0) best = candidate;
  }
  if (best === undefined) return undefined;
  return { todo: best.todo, selectedBy: nameReason(best) };
}

function compareCandidates(
  left: { readonly todo: CandidateTodo; readonly isMine: boolean },
  right: { readonly todo: CandidateTodo; readonly isMine: boolean },
): number {
  const byPriority = left.todo.priority - Number(left.isMine) - (right.todo.priority - Number(right.isMine));
  if (byPriority !== 0) return byPriority;
  if (left.isMine !== right.isMine) return left.isMine ? -1 : 1;
  return left.todo.position - right.todo.position;
}

function nameReason(best: { readonly todo: CandidateTodo; readonly isMine: boolean }): SelectedBy {
  if (best.isMine) return "my_claim";
  return best.todo.task_class === "monitor" ? "monitor_due" : "priority";
}
