import type { Transaction } from "@loopx/store";
import { anyText, instant, oneOf } from "../events/column-rule.ts";
import { decodeRow, selectFrom, type EntityTable } from "../events/entity-table.ts";
import type { ThreadBinding } from "./thread-binding.ts";

export const THREAD_BINDINGS: EntityTable<ThreadBinding> = {
  name: "thread_bindings",
  key: ["goal_id", "host_surface", "thread_id"],
  columns: {
    goal_id: anyText,
    host_surface: anyText,
    thread_id: anyText,
    agent_id: anyText,
    status: oneOf(["bound", "unbound"]),
    is_verified: oneOf([0, 1]),
    bound_at: instant,
  },
  json: [],
  flags: ["is_verified"],
};

/** The row of one (goal, surface, thread), bound or not. */
export async function findThreadBinding(
  tx: Transaction,
  key: Pick<ThreadBinding, "goal_id" | "host_surface" | "thread_id">,
): Promise<ThreadBinding | undefined> {
  const row = await tx.get(
    `${selectFrom(THREAD_BINDINGS)} WHERE goal_id = ? AND host_surface = ? AND thread_id = ?`,
    key.goal_id,
    key.host_surface,
    key.thread_id,
  );
  return row && decodeRow(THREAD_BINDINGS, row);
}

/** Live bindings of a thread in every goal and surface of this project. */
export async function listBindingsOfThread(tx: Transaction, threadId: string): Promise<readonly ThreadBinding[]> {
  const rows = await tx.all(
    `${selectFrom(THREAD_BINDINGS)} WHERE thread_id = ? AND status = 'bound' ORDER BY goal_id, host_surface`,
    threadId,
  );
  return rows.map((row) => decodeRow(THREAD_BINDINGS, row));
}

/** Live bindings of a goal. */
export async function listBindingsOfGoal(tx: Transaction, goalId: string): Promise<readonly ThreadBinding[]> {
  const rows = await tx.all(
    `${selectFrom(THREAD_BINDINGS)} WHERE goal_id = ? AND status = 'bound' ORDER BY host_surface, thread_id`,
    goalId,
  );
  return rows.map((row) => decodeRow(THREAD_BINDINGS, row));
}
