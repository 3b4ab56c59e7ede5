import { toCanonicalJson } from "@loopx/contracts";
import type { SqlRow, Transaction } from "@loopx/store";
import type { Todo } from "../todos/todo.ts";
import type { FaultCount } from "./state-fault.ts";

/** What the tables beside `todos` hold of a todo: they repeat what it says itself, for questions that are asked often. */
export function listDerivedRows(todo: Todo): Readonly<Record<"todo_dependencies" | "gate_targets", readonly SqlRow[]>> {
  const { goal_id, todo_id, gate, priority, position } = todo;
  const targets = gate === null || todo.status === "superseded" ? [] : [...new Set(gate.blocks)];
  return {
    todo_dependencies: todo.depends_on.map((depends_on_id) => ({ goal_id, todo_id, depends_on_id })),
    gate_targets: targets.map((target) => ({
      goal_id,
      gate_id: todo_id,
      target,
      kind: gate?.kind ?? "",
      decision: gate?.decision ?? null,
      ask_again_at: gate?.ask_again_at ?? null,
      priority,
      position,
    })),
  };
}

/** Holds the tables that repeat what todos say against the todos. */
export async function findDerivedFaults(tx: Transaction, todos: readonly Todo[], faults: FaultCount): Promise<void> {
  for (const table of ["todo_dependencies", "gate_targets"] as const) {
    const wanted = new Set(todos.flatMap((todo) => listDerivedRows(todo)[table]).map(toCanonicalJson));
    for (const row of await tx.all(`SELECT * FROM ${table}`)) {
      if (!wanted.delete(toCanonicalJson(row))) faults.add(table, "rows that differ from their todo");
    }
    for (const _ of wanted) faults.add(table, "rows that are missing");
  }
}
