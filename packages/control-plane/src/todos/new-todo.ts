import type { Instant } from "@loopx/contracts";
import type { Gate } from "../gates/gate.ts";
import type { TaskClass, Todo, TodoRole, ValidationCommand } from "./todo.ts";

/** What a caller may say of a new todo; the rest has one beginning. */
export interface TodoDraft {
  readonly role: TodoRole;
  readonly task_class: TaskClass;
  readonly text: string;
  readonly priority: number;
  readonly action_kind: string | null;
  readonly target_key: string | null;
  readonly depends_on: readonly string[];
  readonly resume: string | null;
  readonly validation: ValidationCommand | null;
  readonly cadence_ms: number | null;
  readonly gate: Gate | null;
}

export interface TodoBirth {
  readonly goal_id: string;
  readonly todo_id: string;
  readonly position: number;
  readonly created_by: string;
  readonly now: Instant;
}

export function newTodo(draft: TodoDraft, birth: TodoBirth): Todo {
  return {
    ...draft,
    depends_on: [...new Set(draft.depends_on)],
    goal_id: birth.goal_id,
    todo_id: birth.todo_id,
    position: birth.position,
    status: draft.resume === null ? "open" : "deferred",
    claimed_by: null,
    claim_epoch: 0,
    claim_expires_at: null,
    due_at: null,
    note: null,
    reason: null,
    held_by: draft.resume === null ? null : birth.created_by,
    completion: null,
    successor_todo_id: null,
    created_by: birth.created_by,
    created_at: birth.now,
    updated_at: birth.now,
    completed_at: null,
    archived_at: null,
  };
}

export function newGate(kind: Gate["kind"], blocks: readonly string[]): Gate {
  return {
    kind,
    blocks,
    decision: null,
    decided_by: null,
    decided_at: null,
    ask_again_at: null,
    proposed_objective: null,
    base_revision: null,
  };
}

/** The draft of an agent's follow-up that inherits nothing but its predecessor's priority. */
export function draftFollowUp(text: string, priority: number): TodoDraft {
  return {
    role: "agent",
    task_class: "advancement_task",
    text,
    priority,
    action_kind: null,
    target_key: null,
    depends_on: [],
    resume: null,
    validation: null,
    cadence_ms: null,
    gate: null,
  };
}

/** The priority a text announces itself (`[P0] …`), or undefined. */
export function readPriorityPrefix(text: string): number | undefined {
  const match = /^\[P([0-4])\](?=\s|$)/.exec(text);
  return match?.[1] === undefined ? undefined : Number(match[1]);
}
