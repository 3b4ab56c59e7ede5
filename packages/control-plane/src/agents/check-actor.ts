import { refuse, type Instant, type Refusal } from "@loopx/contracts";
import type { Transaction } from "@loopx/store";
import { isThreadVerifiedFor } from "../threads/verified-thread.ts";
import { isHeldByOther, type Todo } from "../todos/todo.ts";
import { findAgent } from "./agent-rows.ts";
import type { Actor } from "./agent.ts";

/** Who asks for a change, and from which host thread. */
export interface Caller {
  readonly actor: Actor;
  readonly threadId: string | null;
}

/** Refuses an agent that is not a lane of the goal, or whose thread's verified binding names another. */
export async function checkCaller(tx: Transaction, goalId: string, caller: Caller): Promise<Refusal | undefined> {
  const { actor, threadId } = caller;
  if (actor.kind !== "agent") return undefined;
  if ((await findAgent(tx, goalId, actor.agent_id)) === undefined) return refuseUnknownAgent(goalId);
  if (threadId === null || (await isThreadVerifiedFor(tx, goalId, { threadId, agentId: actor.agent_id }))) {
    return undefined;
  }
  return refuse("binding_not_verified", {
    message: "no verified binding of this thread names this agent",
    details: { thread_id: threadId, agent_id: actor.agent_id },
  });
}

/** Refuses a caller that names no lane where the change is a lane's or an owner's to make. */
export function checkNamed({ actor, threadId }: Caller): Refusal | undefined {
  if (actor.kind !== "process") return undefined;
  if (threadId !== null) {
    return refuse("binding_not_verified", {
      message: "the thread is known but no lane is named; name the one it is bound to",
      hint: "add --agent-id=AGENT",
      details: { thread_id: threadId },
    });
  }
  return refuse("missing_flag", {
    message: "name the lane you act as",
    hint: "add --agent-id=AGENT, or run it as an owner at your own terminal",
    details: { field: "agent_id" },
  });
}

export function refuseUnknownAgent(goalId: string): Refusal {
  return refuse("unknown_agent", { message: "the agent is not registered in this goal", details: { goal_id: goalId } });
}

/** Refuses an agent that records or charges in the name of another. */
export function checkOwnTurn(request: { readonly caller: Caller; readonly agentId: string }): Refusal | undefined {
  const { actor } = request.caller;
  if (actor.kind !== "agent" || actor.agent_id === request.agentId) return undefined;
  return refuse("turn_not_held", {
    message: "an agent records and charges only its own turns",
    details: { agent_id: request.agentId },
  });
}

/** Refuses whoever is neither an owner nor the holder of a live claim on the todo. */
export function checkHolder(todo: Todo, actor: Actor, now: Instant): Refusal | undefined {
  if (actor.kind === "owner") return undefined;
  if (!isHeldByOther(todo, actor.kind === "agent" ? actor.agent_id : null, now)) return undefined;
  return refuse("todo_claimed_by_other", {
    message: "another agent holds the claim on this todo",
    details: { todo_id: todo.todo_id, claimed_by: todo.claimed_by, claim_expires_at: todo.claim_expires_at },
  });
}

/** Refuses whoever has not shown to be an owner. */
export function checkOwner(actor: Actor, what: string): Refusal | undefined {
  if (actor.kind === "owner") return undefined;
  return refuse("gate_needs_owner", {
    message: `only an owner may ${what}`,
    hint: "run it outside any agent, without --agent-id: at your own terminal, or with --owner-token-file=PATH",
  });
}
