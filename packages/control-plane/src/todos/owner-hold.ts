import type { Instant, Refusal } from "@loopx/contracts";
import type { Transaction } from "@loopx/store";
import type { Actor } from "../agents/agent.ts";
import { checkOwner } from "../agents/check-actor.ts";
import { readResume } from "./resume-condition.ts";
import { findTodo, listWaiting } from "./todo-rows.ts";
import { isTerminal, type Todo } from "./todo.ts";

/** `owner`: an owner blocked it or put it off. `person`: it is put off until a person's step is done. */
export type OwnerHold = "owner" | "person";

/**
 * What holds a todo back that only an owner may loosen; undefined when nothing does, or when its condition has come.
 *
 * A condition stays with a todo that is blocked as well.
 */
export async function findOwnerHold(tx: Transaction, todo: Todo, now: Instant): Promise<OwnerHold | undefined> {
  if (todo.status !== "blocked" && todo.status !== "deferred") return undefined;
  const awaitedId = findAwaitedId(todo);
  const awaited = awaitedId === null ? undefined : await findTodo(tx, todo.goal_id, awaitedId);
  const done = new Set(awaited?.status === "done" ? [awaited.todo_id] : []);
  const hasCome = todo.status === "deferred" && readResume(todo.resume, done, now).isMet;
  if (todo.held_by?.startsWith("owner:") === true && !hasCome) return "owner";
  return awaited?.role === "user" && !isTerminal(awaited) ? "person" : undefined;
}

/** Refuses whoever would loosen a hold without being an owner. */
export function checkLoosening(hold: OwnerHold | undefined, actor: Actor): Refusal | undefined {
  if (hold === undefined) return undefined;
  return checkOwner(
    actor,
    hold === "owner" ? "free what an owner blocked or put off" : "let a todo go on without the person it waits for",
  );
}

/** Refuses an agent that would drop what an owner's hold waits for: that would free what is held. */
export async function checkAwaitedByOwner(tx: Transaction, todo: Todo, actor: Actor): Promise<Refusal | undefined> {
  const waiting = await listWaiting(tx, todo.goal_id, todo.todo_id);
  const isAwaited = waiting.some((other) => other.held_by?.startsWith("owner:") === true);
  return isAwaited ? checkOwner(actor, "drop a todo that an owner put another off for") : undefined;
}

/** The todo that this one waits for by its resume condition. */
function findAwaitedId({ resume }: Todo): string | null {
  return resume?.startsWith("todo_done:") === true ? resume.slice("todo_done:".length) : null;
}
