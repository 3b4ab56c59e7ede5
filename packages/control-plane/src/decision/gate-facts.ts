import type { Transaction } from "@loopx/store";
import { RESTRICTED_ACTION_KINDS, type Gate } from "../gates/gate.ts";
import { IS_RESTRICTED, isOneOf, isTodoId, LIVE } from "./candidate-class.ts";
import type { GateFact } from "./decision.ts";

/** Every gate that holds something, and those that approve a restricted action which is still to be done. */
export async function listGateFacts(tx: Transaction, goalId: string): Promise<readonly GateFact[]> {
  const restricted = await listRestricted(tx, goalId);
  // Only an approved gate is done, and an edit of the objective, which holds nothing.
  const statuses = restricted.size === 0 ? "status IN ('open', 'blocked', 'deferred')" : "status <> 'superseded'";
  const rows = await tx.all<{ todo_id: string; gate: string; priority: number; position: number }>(
    `SELECT todo_id, gate, priority, position FROM todos WHERE goal_id = ? AND task_class = 'user_gate' AND ${statuses}`,
    goalId,
  );
  const gates = rows
    // The database would go through every live todo for this order.
    .toSorted((left, right) => left.priority - right.priority || left.position - right.position)
    .map((row) => ({ todo_id: row.todo_id, gate: JSON.parse(row.gate) as Gate }))
    .filter(({ gate }) => gate.decision !== "approved" || gate.blocks.some((target) => restricted.has(target)));
  const work = await listNamedWork(
    tx,
    goalId,
    gates.flatMap(({ gate }) => (gate.decision === "approved" ? [] : gate.blocks)),
  );
  return gates.map(({ todo_id, gate }) => ({
    todo_id,
    kind: gate.kind,
    blocks: gate.blocks,
    decision: gate.decision,
    ask_again_at: gate.ask_again_at,
    names_work: gate.blocks.some((target) => work.has(target) || restricted.has(target)),
  }));
}

/** The live todos that need an approval; none are looked for where nothing was ever approved. */
async function listRestricted(tx: Transaction, goalId: string): Promise<ReadonlySet<string>> {
  const decided = await tx.get(
    "SELECT todo_id FROM todos WHERE goal_id = ? AND task_class = 'user_gate' AND status = 'done' LIMIT 1",
    goalId,
  );
  if (decided === undefined) return new Set();
  const rows = await tx.all<{ todo_id: string }>(
    `SELECT todo_id FROM todos WHERE ${LIVE} AND role = 'agent' AND ${IS_RESTRICTED}`,
    goalId,
    ...RESTRICTED_ACTION_KINDS,
  );
  return new Set(rows.map((row) => row.todo_id));
}

async function listNamedWork(
  tx: Transaction,
  goalId: string,
  targets: readonly string[],
): Promise<ReadonlySet<string>> {
  const named = [...new Set(targets.filter(isTodoId))];
  if (named.length === 0) return new Set();
  const isNamed = isOneOf("todo_id", named);
  const rows = await tx.all<{ todo_id: string }>(
    `SELECT todo_id FROM todos WHERE ${LIVE} AND role = 'agent' AND ${isNamed.sql}`,
    goalId,
    ...isNamed.parameters,
  );
  return new Set(rows.map((row) => row.todo_id));
}
