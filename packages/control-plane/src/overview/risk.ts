import { findSensitive, type Instant, type SensitiveKind } from "@loopx/contracts";
import type { Goal } from "../goals/goal.ts";
import type { Turn } from "../turns/turn.ts";
import type { FailedCheck } from "./overview-rows.ts";
import type { LiveTodo } from "./work-item.ts";

export const RISK_CATEGORIES = ["failing_check", "boundary_warning", "rollback_candidate", "stale_run"] as const;
export type RiskCategory = (typeof RISK_CATEGORIES)[number];

export type RiskKind =
  | "validation_failed"
  | "credential_in_text"
  | "local_path_in_text"
  | "reopened_after_done"
  | "turn_past_lease";

export const RISK_SEVERITIES = ["high", "medium", "low"] as const;
export type RiskSeverity = (typeof RISK_SEVERITIES)[number];

/** Something an owner should look at, with the record it comes from. */
export interface Risk {
  readonly category: RiskCategory;
  readonly kind: RiskKind;
  readonly severity: RiskSeverity;
  /** The record it comes from: a turn, an evidence record, a todo, or the goal's own id. */
  readonly sourceId: string;
  readonly todoId: string | null;
  readonly agentId: string | null;
  readonly occurrenceCount: number;
  readonly seenAt: Instant | null;
  /** What the record calls itself: a check's label, a todo's text. */
  readonly label: string | null;
}

/** What risks are told from. */
export interface RiskFacts {
  readonly todos: readonly LiveTodo[];
  readonly boundaryWarnings: readonly Risk[];
  readonly openTurns: readonly Turn[];
  readonly failedChecks: readonly FailedCheck[];
  readonly reopenedTodoIds: readonly string[];
}

/** Texts of one goal that are looked through; a caller says so when there are more. */
export const TEXTS_SCANNED = 400;

/**
 * Tells the risks of one goal, each from a named input: a validation that failed last, a text that holds what is masked,
 * a gate that is live again after it was done, a turn that is open past its lease.
 */
export function listRisks(facts: RiskFacts, now: Instant): readonly Risk[] {
  const todos = new Map(facts.todos.map((todo) => [todo.todo_id, todo]));
  return [
    ...facts.failedChecks.map(toFailingCheck),
    ...facts.boundaryWarnings,
    ...facts.reopenedTodoIds.map((todoId) => toRollbackCandidate(todoId, todos.get(todoId))),
    ...facts.openTurns.filter((turn) => turn.lease_expires_at <= now).map(toStaleRun),
  ];
}

function toFailingCheck(check: FailedCheck): Risk {
  return {
    category: "failing_check",
    kind: "validation_failed",
    severity: "high",
    sourceId: check.evidenceId,
    todoId: check.todoId,
    agentId: null,
    occurrenceCount: 1,
    seenAt: check.recordedAt,
    label: check.label,
  };
}

/** The texts of a goal that hold what is masked, of the first that are looked through. */
export function listBoundaryWarnings(goal: Goal, todos: readonly LiveTodo[]): readonly Risk[] {
  return [
    ...toBoundaryWarnings(goal.objective, { sourceId: goal.goal_id, todoId: null }),
    ...todos
      .slice(0, TEXTS_SCANNED)
      .flatMap((todo) => toBoundaryWarnings(todo.text, { sourceId: todo.todo_id, todoId: todo.todo_id })),
  ];
}

const BOUNDARY_KINDS = {
  credential: { kind: "credential_in_text", severity: "high" },
  local_path: { kind: "local_path_in_text", severity: "low" },
} as const satisfies Readonly<Record<SensitiveKind, Pick<Risk, "kind" | "severity">>>;

function toBoundaryWarnings(text: string, source: Pick<Risk, "sourceId" | "todoId">): readonly Risk[] {
  const findings = findSensitive(text);
  if (findings.length === 0) return [];
  return (["credential", "local_path"] as const).flatMap((sensitive) => {
    const occurrenceCount = findings.filter((finding) => finding.kind === sensitive).length;
    if (occurrenceCount === 0) return [];
    const found = { ...source, ...BOUNDARY_KINDS[sensitive], occurrenceCount };
    return [{ ...found, category: "boundary_warning", agentId: null, seenAt: null, label: text }];
  });
}

function toRollbackCandidate(todoId: string, todo: LiveTodo | undefined): Risk {
  return {
    category: "rollback_candidate",
    kind: "reopened_after_done",
    severity: "medium",
    sourceId: todoId,
    todoId,
    agentId: null,
    occurrenceCount: 1,
    seenAt: todo?.gate?.decided_at ?? null,
    label: todo?.text ?? null,
  };
}

function toStaleRun(turn: Turn): Risk {
  return {
    category: "stale_run",
    kind: "turn_past_lease",
    severity: "medium",
    sourceId: turn.turn_id,
    todoId: turn.todo_id,
    agentId: turn.agent_id,
    occurrenceCount: 1,
    seenAt: turn.lease_expires_at,
    label: null,
  };
}
