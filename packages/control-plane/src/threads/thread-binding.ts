import type { Instant } from "@loopx/contracts";

/** Which lane one host thread speaks for in one goal. */
export interface ThreadBinding {
  readonly goal_id: string;
  readonly host_surface: string;
  readonly thread_id: string;
  readonly agent_id: string;
  readonly status: "bound" | "unbound";
  /** True once project store and home both read back the same binding. */
  readonly is_verified: boolean;
  readonly bound_at: Instant;
}
