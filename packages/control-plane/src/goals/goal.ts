import type { Instant } from "@loopx/contracts";

export type GoalStatus = "active" | "paused" | "completed" | "stopped";

/** A durable objective. Field names are the wire's: row, event image and packet share one spelling. */
export interface Goal {
  readonly goal_id: string;
  readonly objective: string;
  readonly status: GoalStatus;
  /** Starts at 1; every edit of the objective adds one. */
  readonly revision: number;
  /** Turns this goal may ever charge; null when nobody set a limit. */
  readonly budget_total_turns: number | null;
  /** Turns that may be opened within `budget_window_ms`; both null or both set. */
  readonly budget_window_turns: number | null;
  readonly budget_window_ms: number | null;
  /** Why it is in its status, in the words of whoever put it there. */
  readonly reason: string | null;
  readonly created_at: Instant;
  readonly updated_at: Instant;
}
