import type { TodoRow } from "@loopx/workstation/contract";
import { countEvidence, listGatesNaming, loadUnmetDependencies, type Todo } from "@loopx/control-plane";
import type { Transaction } from "@loopx/store";
import { toPriority } from "../../packets/todo-packet.ts";

/** Todos as the board shows them, with what holds each and how much there is to show for it. */
export async function toTodoRows(tx: Transaction, goalId: string, todos: readonly Todo[]): Promise<readonly TodoRow[]> {
  const ids = todos.map((todo) => todo.todo_id);
  const dependent = todos.filter((todo) => todo.depends_on.length > 0).map((todo) => todo.todo_id);
  const unmet = await loadUnmetDependencies(tx, goalId, dependent);
  const gates = await listGatesNaming(tx, goalId, ids);
  const evidence = await countEvidence(tx, goalId, ids);
  return todos.map((todo) => {
    const { todo_id: todoId } = todo;
    return {
      todo_id: todoId,
      role: todo.role,
      task_class: todo.task_class,
      status: todo.status,
      priority: toPriority(todo.priority),
      text: todo.text,
      action_kind: todo.action_kind,
      claimed_by: todo.claim_expires_at === null ? null : todo.claimed_by,
      claim_expires_at: todo.claim_expires_at,
      blocked_by: [...(gates.get(todoId) ?? []), ...(unmet.get(todoId) ?? [])],
      reason: todo.reason,
      resume: todo.resume,
      due_at: todo.due_at,
      evidence_count: evidence.get(todoId) ?? 0,
      completed_at: todo.completed_at,
    };
  });
}
