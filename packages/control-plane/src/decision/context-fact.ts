import { addMs, type Instant } from "@loopx/contracts";
import type { Decision } from "./decision.ts";

/** What the context that a caller asked for came to, before the decision. */
export interface ContextFact {
  /** The todo it was fetched for; null where it is the same for every todo. */
  readonly todoId: string | null;
  /** `absent`: it was asked for and not fetched. `blocked_for_owner`: no time alone mends it. */
  readonly state: "absent" | "usable" | "blocked" | "blocked_for_owner";
}

/** Of a caller that wants context and has none yet. */
export const CONTEXT_NOT_FETCHED: ContextFact = { todoId: null, state: "absent" };

const RECHECK_MS = 60_000;

/**
 * The decision in place of one to run, where the facts that the work needs are not there; undefined where they are, or nobody
 * asked for any. Only `run` needs facts about its todo: planning has none.
 */
export function holdByContext(context: ContextFact | null, decision: Decision, now: Instant): Decision | undefined {
  if (context === null || decision.kind !== "run") return undefined;
  const isForAnother = context.todoId !== null && context.todoId !== decision.todoId;
  if (isForAnother || context.state === "absent") {
    return { kind: "wait", reason: "context_outdated", until: addMs(now, 1000) };
  }
  switch (context.state) {
    case "usable":
      return undefined;
    case "blocked":
      return { kind: "wait", reason: "context_blocked", until: addMs(now, RECHECK_MS) };
    case "blocked_for_owner":
      return { kind: "ask_user", reason: "context_blocked", todoIds: [] };
    default:
      return context.state satisfies never;
  }
}
