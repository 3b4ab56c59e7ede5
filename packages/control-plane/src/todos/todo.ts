import { addMs, LIMITS, type Instant } from "@loopx/contracts";
import type { Gate } from "../gates/gate.ts";

export const TODO_ROLES = ["agent", "user"] as const;
export const TASK_CLASSES = ["advancement_task", "monitor", "user_gate", "user_action"] as const;
export const TODO_STATUSES = ["open", "done", "blocked", "deferred", "superseded"] as const;
/** What was said to follow a todo when it was completed. */
export const COMPLETIONS = ["successor", "no_follow_up", "open_ended"] as const;

export type TodoRole = (typeof TODO_ROLES)[number];
export type TaskClass = (typeof TASK_CLASSES)[number];
export type TodoStatus = (typeof TODO_STATUSES)[number];

/** A command that must pass before its todo may be completed. Direct argv: never a shell. */
export interface ValidationCommand {
  readonly argv: readonly string[];
  readonly label: string | null;
  readonly timeout_ms: number;
}

/** One unit of work or one question. Field names are the wire's. */
export interface Todo {
  readonly goal_id: string;
  readonly todo_id: string;
  readonly role: TodoRole;
  readonly task_class: TaskClass;
  readonly status: TodoStatus;
  readonly text: string;
  /** 0 (P0) to 4 (P4). */
  readonly priority: number;
  /** Written order within the goal: unique, only grows. */
  readonly position: number;
  readonly action_kind: string | null;
  readonly target_key: string | null;
  readonly depends_on: readonly string[];
  /** `todo_done:ID`, `after:TIME` or `manual`, on a deferred todo. */
  readonly resume: string | null;
  readonly claimed_by: string | null;
  /** Grows with every new claim; a write that carries an older epoch is refused. */
  readonly claim_epoch: number;
  readonly claim_expires_at: Instant | null;
  readonly validation: ValidationCommand | null;
  /** Of a monitor: the time between two checks. */
  readonly cadence_ms: number | null;
  readonly due_at: Instant | null;
  readonly note: string | null;
  /** Why it is blocked, deferred or superseded. */
  readonly reason: string | null;
  /** Who blocked or deferred it, as in `created_by`: what an owner holds, an owner frees. */
  readonly held_by: string | null;
  readonly completion: (typeof COMPLETIONS)[number] | null;
  readonly successor_todo_id: string | null;
  readonly gate: Gate | null;
  readonly created_by: string;
  readonly created_at: Instant;
  readonly updated_at: Instant;
  readonly completed_at: Instant | null;
  readonly archived_at: Instant | null;
}

export function isTerminal(todo: { readonly status: TodoStatus }): boolean {
  return todo.status === "done" || todo.status === "superseded";
}

/** True while a live claim names an agent other than `agentId`. */
export function isHeldByOther(
  todo: Pick<Todo, "claimed_by" | "claim_expires_at">,
  agentId: string | null,
  now: Instant,
): boolean {
  return hasLiveClaim(todo, now) && todo.claimed_by !== agentId;
}

export function hasLiveClaim(todo: Pick<Todo, "claimed_by" | "claim_expires_at">, now: Instant): boolean {
  const { claimed_by: holder, claim_expires_at: until } = todo;
  return holder !== null && until !== null && until > now && mayEndLease(until, now);
}

/**
 * Whether a lease given by now can end then. None is given for longer than the limit, so one that ends later was written
 * by a clock that has gone back since, or by no command of ours: it has ended.
 */
export function mayEndLease(until: Instant, now: Instant): boolean {
  return until <= addMs(now, LIMITS.leaseMaxMs);
}
