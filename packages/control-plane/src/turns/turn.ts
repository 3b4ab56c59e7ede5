import type { Instant } from "@loopx/contracts";

/** The `todo_id` of a turn that is for planning, not for one todo. */
export const REPLAN = "replan";

/**
 * One guarded unit of an agent's work.
 *
 * `open` is held under a lease. `lapsed` outlived its lease with evidence: settleable, no longer held.
 * `settled` was charged. `released` ended without evidence: never charged, its late writes are refused.
 */
export interface Turn {
  readonly goal_id: string;
  readonly turn_id: string;
  readonly agent_id: string;
  readonly todo_id: string;
  readonly state: "open" | "lapsed" | "settled" | "released";
  /** The host thread that opened it, when one was named, or the driver. */
  readonly holder: string | null;
  /** The todo's claim epoch this turn was opened under; 0 for a replan turn. */
  readonly claim_epoch: number;
  readonly lease_expires_at: Instant;
  readonly opened_at: Instant;
  readonly closed_at: Instant | null;
}

export const EVIDENCE_OUTCOMES = ["progress", "primary_outcome", "no_change", "blocked"] as const;
export type EvidenceOutcome = (typeof EVIDENCE_OUTCOMES)[number];

export interface EvidenceFile {
  /** Relative to the project root. */
  readonly path: string;
  readonly sha256: string;
  readonly bytes: number;
}

export interface ValidationResult {
  readonly status: "passed" | "failed" | "not_run";
  readonly label: string | null;
  readonly exit_code: number | null;
  readonly timed_out: boolean;
  /** Where it ran: the registered root or the caller's linked worktree. */
  readonly ran_in: "root" | "worktree" | null;
  /** Tail of the output, redacted and capped. */
  readonly output: string | null;
}

/** What a turn or an agent has to show. At most one record a turn. */
export interface Evidence {
  readonly goal_id: string;
  readonly evidence_id: string;
  readonly agent_id: string | null;
  readonly todo_id: string | null;
  readonly turn_id: string | null;
  readonly outcome: EvidenceOutcome;
  readonly text: string;
  readonly files: readonly EvidenceFile[];
  readonly validation: ValidationResult | null;
  readonly recorded_at: Instant;
}

/** The host thread that holds a turn; a driver's label names no thread. */
export function findThreadOfTurn({ holder }: Pick<Turn, "holder">): string | undefined {
  return holder === null || holder.startsWith("driver_") ? undefined : holder;
}

/** The settlement identity `goal:agent:todo:turn`. */
export function renderSettlementIdentity(turn: Turn): string {
  return `${turn.goal_id}:${turn.agent_id}:${turn.todo_id}:${turn.turn_id}`;
}
