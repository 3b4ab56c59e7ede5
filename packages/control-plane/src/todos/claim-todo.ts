import { addMs, refuse, type Ambient, type Instant, type Refusal } from "@loopx/contracts";
import type { Database } from "@loopx/store";
import { findAgent } from "../agents/agent-rows.ts";
import { checkHolder, refuseUnknownAgent } from "../agents/check-actor.ts";
import type { Actor } from "../agents/agent.ts";
import { accept, type Accepted } from "../events/commit-changes.ts";
import { checkNotPaused } from "../goals/load-goal.ts";
import { changeTodo, type ChangedTodo, type TodoRequest } from "./change-todo.ts";
import { hasLiveClaim, type Todo } from "./todo.ts";

export interface ClaimRequest extends TodoRequest {
  readonly agentId: string;
  readonly leaseTtlMs: number;
}

/**
 * Takes the claim on a todo for one agent, or says who holds it.
 *
 * Claiming a todo you hold extends the lease. Durable when the promise settles.
 * Refuses with `todo_claimed_by_other`, `todo_not_open`, `todo_not_runnable` (a user todo), `unknown_agent`,
 * `goal_not_active` (a new claim in a paused goal).
 */
export async function claimTodo(
  database: Database,
  request: ClaimRequest,
  ambient: Pick<Ambient, "now">,
): Promise<ChangedTodo | Refusal> {
  return changeTodo(database, request, ambient, async ({ goal, todo, now }, tx) => {
    if ((await findAgent(tx, request.goalId, request.agentId)) === undefined) return refuseUnknownAgent(request.goalId);
    const decided = decideClaim(todo, request, now);
    if (!decided.ok || !decided.result.changed) return decided;
    return checkNotPaused(goal, "nothing new is claimed") ?? decided;
  });
}

function decideClaim(
  todo: Todo,
  request: Pick<ClaimRequest, "agentId" | "leaseTtlMs" | "caller">,
  now: Instant,
): Accepted<ChangedTodo> | Refusal {
  if (todo.role === "user") {
    return refuse("todo_not_runnable", { message: "a user todo is for a person; an agent cannot claim it" });
  }
  if (todo.status !== "open") return refuseNotOpen(todo);
  const held = checkHolder(todo, { kind: "agent", agent_id: request.agentId }, now);
  if (held !== undefined) return held;
  const isMine = todo.claimed_by === request.agentId && hasLiveClaim(todo, now);
  const claimed: Todo = {
    ...todo,
    claimed_by: request.agentId,
    claim_epoch: isMine ? todo.claim_epoch : todo.claim_epoch + 1,
    claim_expires_at: addMs(now, request.leaseTtlMs),
    updated_at: now,
  };
  return accept<ChangedTodo>(
    { ok: true, todo: claimed, changed: !isMine },
    { type: "todo_claimed.v1", image: claimed },
  );
}

/**
 * Gives the claim back. The epoch grows, so a late write under the old claim is refused.
 *
 * Only the holder or an owner; a todo nobody holds is already so.
 */
export async function releaseTodo(
  database: Database,
  request: TodoRequest,
  ambient: Pick<Ambient, "now">,
): Promise<ChangedTodo | Refusal> {
  return changeTodo(database, request, ambient, async ({ todo, now }) =>
    decideRelease(todo, request.caller.actor, now),
  );
}

function decideRelease(todo: Todo, actor: Actor, now: Instant): Accepted<ChangedTodo> | Refusal {
  const held = checkHolder(todo, actor, now);
  if (held !== undefined) return held;
  if (todo.claimed_by === null || todo.status !== "open")
    return accept<ChangedTodo>({ ok: true, todo, changed: false });
  const released: Todo = { ...withoutClaim(todo), updated_at: now };
  return accept<ChangedTodo>(
    { ok: true, todo: released, changed: true },
    { type: "todo_released.v1", image: released },
  );
}

/** The todo with nobody on it; what an earlier holder writes later carries an older epoch. */
export function withoutClaim(todo: Todo): Todo {
  if (todo.claimed_by === null) return todo;
  return { ...todo, claimed_by: null, claim_expires_at: null, claim_epoch: todo.claim_epoch + 1 };
}

export function refuseNotOpen(todo: Todo): Refusal {
  return refuse("todo_not_open", {
    message: `the todo is ${todo.status}`,
    details: { todo_id: todo.todo_id, status: todo.status },
  });
}
