import { addMs, LIMITS, type Instant } from "@loopx/contracts";
import type { SqlValue } from "@loopx/store";
import { IS_HOLDING } from "../gates/gate-target-rows.ts";
import { RESTRICTED_ACTION_KINDS } from "../gates/gate.ts";

/** An SQL text and what its placeholders stand for, in order. */
export interface SqlPart {
  readonly sql: string;
  readonly parameters: readonly SqlValue[];
}

/** Every live todo that is not a gate. */
export const LIVE = "goal_id = ? AND status IN ('open', 'blocked', 'deferred') AND task_class <> 'user_gate'";

/**
 * The live work of agents, each todo with its class: what `findHold` says of it, told by the database.
 *
 * Within one class the decision sees nothing but a todo's place and its times. A class that depends on who asks ends with
 * the name of the agent that has the claim.
 */
export function selectClassified(goalId: string, now: Instant): SqlPart {
  const claim = [now, addMs(now, LIMITS.leaseMaxMs)];
  return {
    sql:
      "SELECT candidate.*, CASE " +
      `WHEN ${IS_GATED} THEN 'gated' ` +
      `WHEN ${IS_RESTRICTED} AND NOT ${IS_APPROVED} THEN 'missing_gate' ` +
      "WHEN status = 'blocked' THEN 'blocked' " +
      "WHEN status = 'deferred' AND resume LIKE 'after:%' AND substr(resume, 7) > ? THEN 'put_off_until' " +
      `WHEN status = 'deferred' AND COALESCE(resume, '') NOT LIKE 'after:%' AND NOT ${IS_AWAITED_DONE} THEN 'put_off' ` +
      `WHEN depends_on <> '[]' AND ${HAS_UNMET} THEN 'waits' ` +
      `WHEN ${IS_CLAIMED} AND COALESCE(due_at, '') > ? THEN 'claimed_not_due:' || claimed_by ` +
      `WHEN ${IS_CLAIMED} THEN 'claimed:' || claimed_by ` +
      "WHEN COALESCE(due_at, '') > ? THEN 'not_due' ELSE 'runnable' END AS class " +
      `FROM todos candidate WHERE ${LIVE} AND role = 'agent'`,
    parameters: [...RESTRICTED_ACTION_KINDS, now, ...claim, now, ...claim, now, goalId],
  };
}

const IS_RESTRICTED = `COALESCE(action_kind, '') IN (${RESTRICTED_ACTION_KINDS.map(() => "?").join(", ")})`;

const IS_GATED =
  "EXISTS (SELECT 1 FROM gate_targets named WHERE named.goal_id = candidate.goal_id " +
  `AND named.target = candidate.todo_id AND ${IS_HOLDING})`;

const IS_APPROVED =
  "EXISTS (SELECT 1 FROM gate_targets named WHERE named.goal_id = candidate.goal_id " +
  "AND named.target = candidate.todo_id AND named.decision = 'approved' AND named.kind = candidate.action_kind)";

/** As `hasLiveClaim` says it. */
const IS_CLAIMED = "claimed_by IS NOT NULL AND claim_expires_at > ? AND claim_expires_at <= ?";

const IS_AWAITED_DONE =
  "EXISTS (SELECT 1 FROM todos awaited WHERE awaited.goal_id = candidate.goal_id " +
  "AND 'todo_done:' || awaited.todo_id = candidate.resume AND awaited.todo_id = substr(candidate.resume, 11) " +
  "AND awaited.status = 'done')";

const HAS_UNMET =
  "EXISTS (SELECT 1 FROM todo_dependencies edge JOIN todos needed " +
  "ON needed.goal_id = edge.goal_id AND needed.todo_id = edge.depends_on_id " +
  "WHERE edge.goal_id = candidate.goal_id AND edge.todo_id = candidate.todo_id AND needed.status <> 'done')";

/** True where the expression is one of the values, of which there may be none. */
export function isOneOf(expression: string, values: readonly SqlValue[]): SqlPart {
  if (values.length === 0) return { sql: "(1 = 0)", parameters: [] };
  const marks = values.map(() => "?").join(", ");
  return { sql: `(${expression} IN (${marks}))`, parameters: values };
}
