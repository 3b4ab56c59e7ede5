import { refuse, type Instant, type Refusal } from "@loopx/contracts";
import type { Transaction } from "@loopx/store";
import type { Caller } from "../agents/check-actor.ts";
import { renderActor } from "../agents/agent.ts";
import { commitChanges } from "../events/commit-changes.ts";
import { decodeRow, selectFrom } from "../events/entity-table.ts";
import { checkReviewer } from "../reviews/record-review.ts";
import { parseWrittenText } from "../todos/check-todo-text.ts";
import { newGate, newTodo } from "../todos/new-todo.ts";
import { loadNextPosition, TODOS } from "../todos/todo-rows.ts";
import type { Todo } from "../todos/todo.ts";

export interface DecisionGateRequest {
  readonly goalId: string;
  readonly caller: Caller;
  /** What exactly an owner decides on, as the gate's target: `direction:action:…`. One gate a scope. */
  readonly scope: string;
  readonly question: string;
}

const PRIORITY = 1;

/**
 * Opens the gate on which an owner decides about one thing, inside the caller's transaction, or finds the one that is there.
 * It holds back no other work: what it decides takes effect where its scope is asked for.
 *
 * Refuses with `unknown_goal`, `goal_not_active`, `unknown_agent`, `binding_not_verified`, `missing_flag`.
 */
export async function openDecisionGate(
  tx: Transaction,
  request: DecisionGateRequest,
  { now, newTodoId }: { readonly now: Instant; readonly newTodoId: () => string },
): Promise<{ readonly ok: true; readonly gate: Todo; readonly alreadyExists: boolean } | Refusal> {
  const { goalId, caller, scope, question } = request;
  const refused = await checkReviewer(tx, goalId, caller);
  if (refused !== undefined) return refused;
  const existing = await findDecisionGate(tx, goalId, scope);
  if (existing !== undefined) return { ok: true, gate: existing, alreadyExists: true };
  const gate = newTodo(
    {
      role: "user",
      task_class: "user_gate",
      text: parseWrittenText(question, "question"),
      priority: PRIORITY,
      action_kind: null,
      target_key: scope,
      depends_on: [],
      resume: null,
      validation: null,
      cadence_ms: null,
      gate: newGate("decision", []),
    },
    {
      goal_id: goalId,
      todo_id: newTodoId(),
      position: await loadNextPosition(tx, goalId),
      created_by: renderActor(caller.actor),
      now,
    },
  );
  await commitChanges(tx, { goalId, actor: caller.actor, now }, [{ type: "todo_added.v1", image: gate }]);
  return { ok: true, gate, alreadyExists: false };
}

/** The live or decided gate on this scope. */
async function findDecisionGate(tx: Transaction, goalId: string, scope: string): Promise<Todo | undefined> {
  const row = await tx.get(
    `${selectFrom(TODOS)} WHERE goal_id = ? AND task_class = 'user_gate' AND target_key = ? AND status <> 'superseded'`,
    goalId,
    scope,
  );
  return row && decodeRow(TODOS, row);
}

/** What an owner decided on a scope so far; null while nobody did. Refuses with `unknown_gate`. */
export async function loadGateVerdict(
  tx: Transaction,
  goalId: string,
  scope: string,
): Promise<{ readonly ok: true; readonly gate: Todo } | Refusal> {
  const gate = await findDecisionGate(tx, goalId, scope);
  if (gate !== undefined) return { ok: true, gate };
  return refuse("unknown_gate", {
    message: "the gate on this proposal is gone, so nothing shows what its owner decided",
    hint: "prepare the review again: loopx decision-context prepare-review",
    details: { scope },
  });
}
