import type { Instant } from "@loopx/contracts";

/** What a lane said when the loop that wakes it was set up. A lane has one; setting up another replaces it. */
export interface Activation {
  readonly goal_id: string;
  readonly agent_id: string;
  readonly host_surface: string;
  /** The thread whose id the task body carries, where the host has one. */
  readonly thread_id: string | null;
  /** What wakes the agent, in its own words, where its host has no loop of its own. */
  readonly loop_driver: string | null;
  /** `sha256:` and the digest of the task body that was installed. */
  readonly task_body_digest: string;
  readonly recorded_at: Instant;
}
