import type { Instant } from "@loopx/contracts";
import type { Transaction } from "@loopx/store";
import { decodeRow, selectFrom } from "../events/entity-table.ts";
import type { Change } from "../events/event.ts";
import { IS_HOLDING } from "../gates/gate-target-rows.ts";
import { TODOS } from "./todo-rows.ts";
import type { Todo } from "./todo.ts";

/** Gates that hold nothing but this todo have nothing left to ask once it is closed. */
export async function closeGatesOf(tx: Transaction, todo: Todo, now: Instant): Promise<readonly Change[]> {
  const rows = await tx.all(
    `${selectFrom(TODOS)} WHERE goal_id = ? AND todo_id IN ` +
      `(SELECT gate_id FROM gate_targets WHERE goal_id = ? AND target = ? AND ${IS_HOLDING}) ORDER BY position`,
    todo.goal_id,
    todo.goal_id,
    todo.todo_id,
  );
  return rows
    .map((row) => decodeRow(TODOS, row))
    .filter((gate) => gate.gate?.blocks.length === 1 && gate.gate.blocks[0] === todo.todo_id)
    .map((gate) => ({
      type: "todo_superseded.v1",
      image: { ...gate, status: "superseded", reason: `its todo ${todo.todo_id} is closed`, updated_at: now },
    }));
}
