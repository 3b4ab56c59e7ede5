import type { Instant, Refusal } from "@loopx/contracts";
import type { Database } from "@loopx/store";
import { decideNext } from "../decision/decide-next.ts";
import type { Decision } from "../decision/decision.ts";
import { findTodo } from "../todos/todo-rows.ts";
import type { Todo } from "../todos/todo.ts";
import { loadAskedFacts, type NextTurnRequest } from "./ask-next-turn.ts";

/** What `askNextTurn` would answer now. */
export interface PeekedTurn {
  readonly ok: true;
  readonly decision: Decision;
  /** The todo it would select. */
  readonly todo: Todo | null;
}

/** The decision alone: opens no turn, claims nothing, ends nothing. Refuses as `askNextTurn` does. */
export async function peekNextTurn(
  database: Database,
  request: NextTurnRequest,
  now: Instant,
): Promise<PeekedTurn | Refusal> {
  return database.read(async (tx) => {
    const loaded = await loadAskedFacts(tx, request, now);
    if (!loaded.ok) return loaded;
    const { decision } = decideNext(loaded.facts, now);
    const todo = decision.kind === "run" ? await findTodo(tx, request.goalId, decision.todoId) : undefined;
    return { ok: true, decision, todo: todo ?? null };
  });
}
