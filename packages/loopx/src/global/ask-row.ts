import type { Gate, GoalOverview, LiveGate } from "@loopx/control-plane";
import type { OrderKey } from "./ordered-head.ts";

/** A question or an action that waits for a person: an undecided gate, or work that only a person can do. */
export interface Ask {
  readonly todo: LiveGate["todo"];
  /** Null where it is an action. */
  readonly gate: Gate | null;
}

export const ASK_KEY_SHAPE = "nsn";

export function toAskKey(goalId: string, { todo }: Ask): OrderKey {
  return [todo.priority, goalId, todo.position];
}

/** What one goal asks of a person now. A paused goal asks nothing until it is resumed but what its gates ask. */
export function listAsks({ gates, work }: Pick<GoalOverview, "gates" | "work">): readonly Ask[] {
  const asked = gates.filter(({ isUndecided }) => isUndecided).map(({ todo, gate }) => ({ todo, gate }));
  const actions = work.filter(({ todo, readiness }) => todo.role === "user" && readiness !== "blocked");
  return [...asked, ...actions.map(({ todo }) => ({ todo, gate: null }))];
}
