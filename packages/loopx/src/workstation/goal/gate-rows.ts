import type { GateRow } from "@loopx/workstation/contract";
import { findTodo, type Todo } from "@loopx/control-plane";
import type { Transaction } from "@loopx/store";
import { toPriority } from "../../packets/todo-packet.ts";

/** So many targets of a gate are named, the rest are counted. */
const BLOCKS_SHOWN = 12;

/** Gates as the page shows them, whole: somebody decides on what they say. */
export async function toGateRows(tx: Transaction, goalId: string, gates: readonly Todo[]): Promise<readonly GateRow[]> {
  const rows: GateRow[] = [];
  for (const todo of gates) {
    const { gate } = todo;
    if (gate === null) continue;
    const blocks: GateRow["blocks"][number][] = [];
    for (const target of gate.blocks.slice(0, BLOCKS_SHOWN)) {
      const blocked = target.startsWith("todo_") ? await findTodo(tx, goalId, target) : undefined;
      blocks.push({ target, title: blocked?.text ?? null });
    }
    rows.push({
      gate_id: todo.todo_id,
      kind: gate.kind,
      priority: toPriority(todo.priority),
      question: todo.text,
      blocks,
      block_count: gate.blocks.length,
      decision: gate.decision,
      decided_by: gate.decided_by,
      decided_at: gate.decided_at,
      reason: gate.decision === null ? null : todo.reason,
      ask_again_at: gate.ask_again_at,
      proposed_objective: gate.proposed_objective,
      created_by: todo.created_by,
      created_at: todo.created_at,
    });
  }
  return rows;
}
