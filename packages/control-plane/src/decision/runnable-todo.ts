import type { Instant } from "@loopx/contracts";
import { isRestrictedActionKind } from "../gates/gate.ts";
import { isHeldByOther } from "../todos/todo.ts";
import type { CandidateTodo, DecisionFacts, GateFact } from "./decision.ts";

/** What holds a todo back from one agent, or that nothing does. */
export type Hold =
  | { readonly by: "nothing" }
  | { readonly by: "gate" }
  | { readonly by: "missing_gate" }
  | { readonly by: "dependency" }
  | { readonly by: "claim"; readonly until: Instant }
  | { readonly by: "not_due"; readonly until: Instant }
  | { readonly by: "deferred"; readonly until: Instant | null }
  | { readonly by: "blocked" };

/** What the answer for one todo rests on. */
export type HoldFacts = Pick<DecisionFacts, "agentId" | "gates" | "doneTodoIds">;

/**
 * Says whether `agentId` may work on the todo now and, if not, the first reason why.
 *
 * Gates come first: an undecided or rejected one holds whatever it names, whoever asks.
 */
export function findHold(todo: CandidateTodo, facts: HoldFacts, now: Instant): Hold {
  const gatesOf = indexGates(facts.gates);
  const isHeld = ["goal", `agent:${facts.agentId}`, todo.todo_id].some((target) =>
    (gatesOf.get(target) ?? []).some((gate) => gate.decision !== "approved"),
  );
  if (isHeld) return { by: "gate" };
  if (isRestrictedActionKind(todo.action_kind) && !hasApproval(todo, gatesOf)) return { by: "missing_gate" };
  if (todo.status === "blocked") return { by: "blocked" };
  if (todo.status === "deferred") {
    const resume = readResume(todo.resume, facts.doneTodoIds, now);
    if (!resume.isMet) return { by: "deferred", until: resume.until };
  }
  if (todo.unmet_dependencies.length > 0) return { by: "dependency" };
  if (isHeldByOther(todo, facts.agentId, now) && todo.claim_expires_at !== null) {
    return { by: "claim", until: todo.claim_expires_at };
  }
  if (todo.due_at !== null && todo.due_at > now) return { by: "not_due", until: todo.due_at };
  return { by: "nothing" };
}

/** True while a person has yet to decide; a deferral that has run out asks again. */
export function isUndecided(gate: Pick<GateFact, "decision" | "ask_again_at">, now: Instant): boolean {
  if (gate.decision === null) return true;
  return gate.decision === "deferred" && gate.ask_again_at !== null && gate.ask_again_at <= now;
}

type GatesByTarget = ReadonlyMap<string, readonly GateFact[]>;

/** One index per list of gates: every todo asks for it, and going through all gates for each would be quadratic. */
const indexes = new WeakMap<readonly GateFact[], GatesByTarget>();

function indexGates(gates: readonly GateFact[]): GatesByTarget {
  const known = indexes.get(gates);
  if (known !== undefined) return known;
  const index = new Map<string, GateFact[]>();
  for (const gate of gates) {
    for (const target of gate.blocks) {
      const named = index.get(target);
      if (named === undefined) index.set(target, [gate]);
      else named.push(gate);
    }
  }
  indexes.set(gates, index);
  return index;
}

/** A restricted action runs only under an approved gate of its own kind that names this very todo. */
function hasApproval(todo: CandidateTodo, gatesOf: GatesByTarget): boolean {
  return (gatesOf.get(todo.todo_id) ?? []).some(
    (gate) => gate.decision === "approved" && gate.kind === todo.action_kind,
  );
}

function readResume(
  resume: string | null,
  doneTodoIds: ReadonlySet<string>,
  now: Instant,
): { readonly isMet: boolean; readonly until: Instant | null } {
  if (resume === null || resume === "manual") return { isMet: false, until: null };
  if (resume.startsWith("after:")) {
    const until = resume.slice("after:".length) as Instant;
    return { isMet: until <= now, until };
  }
  return { isMet: doneTodoIds.has(resume.slice("todo_done:".length)), until: null };
}
