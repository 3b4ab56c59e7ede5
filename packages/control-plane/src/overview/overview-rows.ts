import type { Instant } from "@loopx/contracts";
import type { Transaction } from "@loopx/store";
import { findLastCompaction } from "../compactions/compaction-rows.ts";
import type { GateFact } from "../decision/decision.ts";
import { loadUnmetDependencies } from "../decision/unmet-dependencies.ts";
import { instant } from "../events/column-rule.ts";
import { decodePart, decodeRow, selectFrom, takeStored } from "../events/entity-table.ts";
import type { EventType } from "../events/event.ts";
import { GATE_TARGETS } from "../gates/gate-shape.ts";
import { IS_HOLDING } from "../gates/gate-target-rows.ts";
import { findTodo, TODOS } from "../todos/todo-rows.ts";
import { EVIDENCE } from "../turns/turn-rows.ts";
import type { ValidationResult } from "../turns/turn.ts";
import type { LiveTodo } from "./work-item.ts";

type LiveRow = Omit<LiveTodo, "unmet_dependencies" | "left_out"> & { readonly depends_on: readonly string[] };

/** Every live todo and gate of a goal, by priority and written order. */
export async function listLiveTodos(tx: Transaction, goalId: string): Promise<readonly LiveTodo[]> {
  const stored = await tx.all<LiveRow>(
    "SELECT todo_id, role, task_class, status, text, priority, position, action_kind, claimed_by, claim_epoch, " +
      "claim_expires_at, resume, due_at, depends_on, gate FROM todos " +
      "WHERE goal_id = ? AND status IN ('open', 'blocked', 'deferred') ORDER BY priority, position",
    goalId,
  );
  const rows = stored.map((row) => decodePart(TODOS, row));
  const dependent = rows.filter((row) => row.depends_on.length > 0).map((row) => row.todo_id);
  const unmet = await loadUnmetDependencies(tx, goalId, dependent);
  return rows.map(({ depends_on: _dependsOn, ...row }) => ({
    ...row,
    unmet_dependencies: unmet.get(row.todo_id) ?? [],
    left_out: 0,
  }));
}

/**
 * Every gate that holds something, and those that approve live work: what the decision is made from when nothing is left
 * out, the same for each lane of the goal.
 */
export async function listGatesOfLive(
  tx: Transaction,
  goalId: string,
  live: readonly LiveTodo[],
): Promise<readonly GateFact[]> {
  const rows = await tx.all<
    Omit<GateFact, "todo_id" | "blocks"> & { readonly gate_id: string; readonly target: string }
  >(
    "SELECT gate_id, target, kind, decision, ask_again_at FROM gate_targets gate " +
      `WHERE goal_id = ? AND (${IS_HOLDING} OR EXISTS (SELECT 1 FROM todos work WHERE work.goal_id = gate.goal_id ` +
      "AND work.todo_id = gate.target AND work.status IN ('open', 'blocked', 'deferred'))) ORDER BY priority, position",
    goalId,
  );
  const work = new Set(live.filter((todo) => todo.role === "agent").map((todo) => todo.todo_id));
  const facts = new Map<string, GateFact>();
  for (const row of rows) {
    const { gate_id: gateId, target, ...gate } = decodePart(GATE_TARGETS, row);
    const known = facts.get(gateId);
    facts.set(gateId, {
      ...gate,
      todo_id: gateId,
      blocks: [...(known?.blocks ?? []), target],
      names_work: known?.names_work === true || work.has(target),
      left_out: 0,
    });
  }
  return [...facts.values()];
}

/** A check whose last known result is a failure. */
export interface FailedCheck {
  /** Null where the check was noted without a todo. */
  readonly todoId: string | null;
  readonly evidenceId: string;
  readonly label: string | null;
  readonly recordedAt: Instant;
}

/**
 * Of each todo of the goal, and of the notes without one, the last validation, where that one failed.
 *
 * A finished todo counts as long as it is listed: what was finished on a failed check is the worse for it.
 */
export async function listFailedChecks(tx: Transaction, goalId: string): Promise<readonly FailedCheck[]> {
  const stored = await tx.all<ValidationRow>(
    "SELECT todo_id, evidence_id, recorded_at, validation FROM evidence " +
      "WHERE goal_id = ? AND validation IS NOT NULL ORDER BY recorded_at, evidence_id",
    goalId,
  );
  const rows = stored.map((row) => decodePart(EVIDENCE, row));
  const last = new Map(rows.map((row) => [row.todo_id, row]));
  const failed: FailedCheck[] = [];
  for (const row of last.values()) {
    const { validation } = row;
    if (validation.status !== "failed" || !(await isListed(tx, goalId, row.todo_id))) continue;
    const { todo_id: todoId, evidence_id: evidenceId, recorded_at: recordedAt } = row;
    failed.push({ todoId, evidenceId, label: validation.label, recordedAt });
  }
  return failed;
}

interface ValidationRow {
  readonly todo_id: string | null;
  readonly evidence_id: string;
  readonly recorded_at: Instant;
  readonly validation: ValidationResult;
}

/** Whether lists still show the todo; a note without one, or of a planning turn, has none that could be out of sight. */
async function isListed(tx: Transaction, goalId: string, todoId: string | null): Promise<boolean> {
  const todo = todoId === null ? undefined : await findTodo(tx, goalId, todoId);
  return todo === undefined || (todo.status !== "superseded" && todo.archived_at === null);
}

/**
 * Those of a goal's live gates that were done before, by id: an owner took the approval back.
 *
 * Only a gate comes back to life: any other todo that is done stays so.
 */
export async function listReopenedIds(
  tx: Transaction,
  goalId: string,
  todos: readonly LiveTodo[],
): Promise<readonly string[]> {
  const reopened: string[] = [];
  for (const { todo_id: todoId, gate } of todos) {
    if (gate === null || gate.decision === null) continue;
    const approved = await tx.get(
      "SELECT seq FROM events WHERE goal_id = ? AND entity = 'todo' AND entity_id = ? " +
        `AND type = 'gate_decided.v1' AND image LIKE '%"status":"done"%' LIMIT 1`,
      goalId,
      todoId,
    );
    if (approved !== undefined) reopened.push(todoId);
  }
  return reopened;
}

/** Something that was finished or decided. */
export interface Progress {
  /** Tells apart what a goal has of one moment: the event, or less than 0 where that was compacted. */
  readonly order: number;
  readonly type: EventType;
  readonly at: Instant;
  /** The todo or gate it was about; null when it was the goal. */
  readonly todoId: string | null;
  readonly text: string | null;
}

/** What was finished or decided in a goal since a moment, latest first. */
export async function listProgress(tx: Transaction, goalId: string, since: Instant): Promise<readonly Progress[]> {
  const rows = await tx.all<Pick<Progress, "type" | "at"> & { readonly seq: number; readonly entity_id: string }>(
    "SELECT seq, type, at, entity_id FROM events WHERE goal_id = ? AND at >= ? " +
      "AND type IN ('todo_completed.v1', 'gate_decided.v1', 'goal_completed.v1') ORDER BY seq DESC",
    goalId,
    since,
  );
  const progress: Progress[] = [];
  for (const { entity_id: entityId, seq, type, at } of rows) {
    takeStored(at, instant, { table: "events", column: "at" });
    const todo = type === "goal_completed.v1" ? undefined : await findTodo(tx, goalId, entityId);
    progress.push({ order: seq, type, at, todoId: todo?.todo_id ?? null, text: todo?.text ?? null });
  }
  const cutoff = (await findLastCompaction(tx, goalId))?.through_at;
  return cutoff === undefined || cutoff < since ? progress : [...progress, ...(await listCompacted(tx, goalId, since))];
}

/** Todos whose completion was compacted: a todo is completed once, so its row tells when. */
async function listCompacted(tx: Transaction, goalId: string, since: Instant): Promise<readonly Progress[]> {
  const rows = await tx.all(
    `${selectFrom(TODOS)} WHERE goal_id = ? AND completed_at >= ? AND status = 'done' AND task_class <> 'user_gate' ` +
      "AND NOT EXISTS (SELECT 1 FROM events e WHERE e.goal_id = todos.goal_id AND e.entity = 'todo' " +
      "AND e.entity_id = todos.todo_id AND e.type = 'todo_completed.v1') ORDER BY completed_at DESC, position DESC",
    goalId,
    since,
  );
  return rows.flatMap((row) => {
    const { completed_at: at, position, todo_id: todoId, text } = decodeRow(TODOS, row);
    return at === null ? [] : [{ order: -position, type: "todo_completed.v1", at, todoId, text }];
  });
}
