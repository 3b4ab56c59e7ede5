import type { DecisionPropertyName } from "./decision-properties.ts";

/** One guard taken out of the decision's source, and the property that must turn red without it. */
export interface DecisionMutant {
  readonly without: string;
  /** Below `src/`. */
  readonly file: string;
  /** Stands exactly once in the file. */
  readonly find: string;
  readonly replace: string;
  readonly turnsRed: DecisionPropertyName;
}

const ORACLE = "agrees with the naive oracle, byte for byte";
const ENDED = "a paused, completed or stopped goal neither runs nor plans";
const GATED = "a gate that is not approved holds what it names";
const RESTRICTED = "a restricted action needs an approved gate of its own kind that names it";
const RESUMED = "a resumed run goes on under the open turn's own todo and epoch";
const DEFERRED = "a deferred todo runs only once its condition is met";
const SELECTED = "selection is by priority, mine one higher, then mine, then written order";
const THREE = "three turns without evidence in a row stop new ones until repaired";
const TOTAL = "no turn is opened beyond the total budget";
const WINDOW = "no turn is opened beyond the budget of the window";
const FACTS = "work runs only with usable facts of its own, where facts were asked for";
const ELSEWHERE = "a turn that somebody else holds is waited for until its lease ends";

const NEXT = "decision/decide-next.ts";
const IDLE = "decision/decide-idle.ts";
const CONTEXT = "decision/context-fact.ts";
const RUNNABLE = "decision/runnable-todo.ts";
const RESUME = "todos/resume-condition.ts";
const SELECT = "decision/select-todo.ts";

// One row per guard:
// prettier-ignore
export const DECISION_MUTANTS: readonly DecisionMutant[] = [
  { without: "the stop of a paused goal", file: NEXT, find: `return { kind: "paused" };`, replace: "return undefined;", turnsRed: ENDED },
  { without: "the end of a completed goal", file: NEXT, find: `return { kind: "done", reason: "goal_completed" };`, replace: "return undefined;", turnsRed: ENDED },
  { without: "the end of a stopped goal", file: NEXT, find: `return { kind: "done", reason: "goal_stopped" };`, replace: "return undefined;", turnsRed: ENDED },
  { without: "the wait for another holder", file: NEXT, find: "if (!isHeld && !hasExpired) {", replace: "if (false) {", turnsRed: ELSEWHERE },
  { without: "the difference between no label and a label", file: NEXT, find: "facts.holder.label === turn.holder;", replace: "facts.holder.label === null || facts.holder.label === turn.holder;", turnsRed: ELSEWHERE },
  { without: "the difference between labels", file: NEXT, find: "facts.holder.label === turn.holder;", replace: "(facts.holder.label === null) === (turn.holder === null);", turnsRed: ELSEWHERE },
  { without: "the proof by turn id", file: NEXT, find: "facts.holder.turnId === turn.turn_id ||", replace: "", turnsRed: ORACLE },
  { without: "the end of a lease", file: NEXT, find: "if (hasExpired) return RELEASES;", replace: "", turnsRed: ORACLE },
  { without: "the keeping of evidence when another comes", file: NEXT, find: "if (!isHeld) return facts.openTurnHasEvidence", replace: "if (!isHeld) return false", turnsRed: "a lease that ended with evidence is never released, one without never lapses" },
  { without: "the epoch of a turn without evidence", file: NEXT, find: "todo?.claimed_by === turn.agent_id && todo.claim_epoch === turn.claim_epoch;", replace: "true;", turnsRed: RESUMED },
  { without: "the epoch of a turn with evidence", file: NEXT, find: "stored.claimed_by === turn.agent_id && stored.claim_epoch === turn.claim_epoch;", replace: "true;", turnsRed: RESUMED },
  { without: "the holds on a resumed turn", file: NEXT, find: `|| findHold(todo, facts, now).by !== "nothing") return RELEASES;`, replace: ") return RELEASES;", turnsRed: GATED },
  { without: "the holds on a resumed turn with evidence", file: NEXT, find: `|| findHold(todo, facts, now).by !== "nothing") return unsettled;`, replace: ") return unsettled;", turnsRed: GATED },
  { without: "the limit of turns without evidence", file: NEXT, find: ">= RELEASED_TURNS_LIMIT", replace: ">= Infinity", turnsRed: THREE },
  { without: "the turn that this very call releases", file: NEXT, find: `facts.releasedInARow + (ended === "released" ? 1 : 0)`, replace: "facts.releasedInARow", turnsRed: THREE },
  { without: "the role of a todo", file: NEXT, find: `return todo.role === "agent" &&`, replace: "return true ||", turnsRed: "a person's todo never runs" },
  { without: "the holds on a new turn", file: NEXT, find: `isWork(todo) && findHold(todo, facts, now).by === "nothing"`, replace: "isWork(todo)", turnsRed: "a blocked todo never runs" },
  { without: "the throttle of a new turn", file: NEXT, find: "if (throttled !== undefined) return throttled;", replace: "", turnsRed: TOTAL },
  { without: "the throttle of a plan", file: NEXT, find: "(decideByBudget(facts, ended, now) ?? idle)", replace: "idle", turnsRed: TOTAL },
  { without: "the total budget", file: NEXT, find: "if (total !== null &&", replace: "if (false &&", turnsRed: TOTAL },
  { without: "the limit of what a release gives back", file: NEXT, find: "(released === null ? 0 : 1) >= total", replace: "1 >= total", turnsRed: TOTAL },
  { without: "the budget of the window", file: NEXT, find: "< inWindow) return undefined;", replace: "< Infinity) return undefined;", turnsRed: WINDOW },
  { without: "the window's own count of a release", file: NEXT, find: "released.opened_at > addMs(now, -windowMs)", replace: "true", turnsRed: WINDOW },
  { without: "the time at which the window is free", file: NEXT, find: "addMs(facts.oldestInWindowAt, windowMs)", replace: "now", turnsRed: "a throttled window says when the next turn is free" },
  { without: "a new epoch for a new claim", file: NEXT, find: "todo.claim_epoch + 1;", replace: "todo.claim_epoch;", turnsRed: "a new claim grows the epoch, one's own live claim keeps it" },
  { without: "the hold of a gate", file: RUNNABLE, find: "if (isHeld)", replace: "if (false)", turnsRed: GATED },
  { without: "the hold of a rejected gate", file: RUNNABLE, find: `some((gate) => gate.decision !== "approved")`, replace: `some((gate) => gate.decision !== "approved" && gate.decision !== "rejected")`, turnsRed: GATED },
  { without: "the hold of a deferred gate", file: RUNNABLE, find: `some((gate) => gate.decision !== "approved")`, replace: `some((gate) => gate.decision !== "approved" && gate.decision !== "deferred")`, turnsRed: GATED },
  { without: "a gate's hold on the whole goal", file: RUNNABLE, find: `["goal", `, replace: "[", turnsRed: GATED },
  { without: "a gate's hold on an agent", file: RUNNABLE, find: "`agent:${facts.agentId}`, ", replace: "", turnsRed: GATED },
  { without: "a gate's hold on one todo", file: RUNNABLE, find: ", todo.todo_id].some", replace: "].some", turnsRed: GATED },
  { without: "the approval of a restricted action", file: RUNNABLE, find: "if (isRestrictedActionKind(todo.action_kind) &&", replace: "if (false &&", turnsRed: RESTRICTED },
  { without: "the kind of an approval", file: RUNNABLE, find: "&& gate.kind === todo.action_kind", replace: "", turnsRed: RESTRICTED },
  { without: "the todo of an approval", file: RUNNABLE, find: "(gatesOf.get(todo.todo_id) ?? []).some(", replace: "[...gatesOf.values()].flat().some(", turnsRed: RESTRICTED },
  { without: "production among the restricted actions", file: "gates/gate.ts", find: `  "production",\n`, replace: "", turnsRed: RESTRICTED },
  { without: "the hold of status blocked", file: RUNNABLE, find: `if (todo.status === "blocked")`, replace: "if (false)", turnsRed: "a blocked todo never runs" },
  { without: "the hold of status deferred", file: RUNNABLE, find: "if (!resume.isMet)", replace: "if (false)", turnsRed: DEFERRED },
  { without: "the time of a deferral", file: RESUME, find: "isMet: until <= now", replace: "isMet: true", turnsRed: DEFERRED },
  { without: "the todo that a deferral waits for", file: RESUME, find: `isMet: doneTodoIds.has(resume.slice("todo_done:".length))`, replace: "isMet: true", turnsRed: DEFERRED },
  { without: "the person that a manual deferral waits for", file: RESUME, find: "return { isMet: false, until: null };", replace: "return { isMet: true, until: null };", turnsRed: DEFERRED },
  { without: "the hold of a dependency", file: RUNNABLE, find: "if (todo.unmet_dependencies.length > 0)", replace: "if (false)", turnsRed: "an unmet dependency holds" },
  { without: "the hold of another's claim", file: RUNNABLE, find: "if (isHeldByOther(todo, facts.agentId, now) &&", replace: "if (false &&", turnsRed: "another agent's live claim holds" },
  { without: "the end of a claim's lease", file: "todos/todo.ts", find: "until > now && ", replace: "", turnsRed: ORACLE },
  { without: "the time of a monitor", file: RUNNABLE, find: "if (todo.due_at !== null &&", replace: "if (false &&", turnsRed: "a monitor that is not due never runs" },
  { without: "the time at which a gate asks again", file: RUNNABLE, find: "gate.ask_again_at <= now", replace: "true", turnsRed: "an approved gate is never asked about, nor one put off until later" },
  { without: "the priority", file: SELECT, find: "if (byPriority !== 0)", replace: "if (false)", turnsRed: SELECTED },
  { without: "the one level that my claim counts", file: SELECT, find: "left.todo.priority - Number(left.isMine) - (right.todo.priority - Number(right.isMine))", replace: "left.todo.priority - right.todo.priority", turnsRed: SELECTED },
  { without: "mine before others at a tie", file: SELECT, find: "if (left.isMine !== right.isMine)", replace: "if (false)", turnsRed: SELECTED },
  { without: "the written order", file: SELECT, find: "return left.todo.position - right.todo.position;", replace: "return 0;", turnsRed: "the order of the lists changes nothing" },
  { without: "the limit of fruitless plans", file: IDLE, find: "if (facts.replansInARow >= FRUITLESS_REPLANS_LIMIT)", replace: "if (false)", turnsRed: "the third fruitless plan in a row asks a person" },
  { without: "the look for work that is held", file: IDLE, find: "if (holds.length === 0) return undefined;", replace: "return undefined;", turnsRed: "a plan is asked for only when no live work of an agent is left" },
  { without: "whose work a gate holds", file: IDLE, find: "gate.names_work || isForEveryone(gate.blocks, agentId)", replace: "true", turnsRed: ORACLE },
  { without: "the earliest of several times", file: IDLE, find: "until < earliest.until", replace: "until > earliest.until", turnsRed: ORACLE },
  { without: "the count of what was not loaded", file: IDLE, find: "sum + todo.left_out", replace: "sum", turnsRed: ORACLE },
  { without: "the hold of facts", file: NEXT, find: "return held === undefined ? decided :", replace: "return held !== null ? decided :", turnsRed: FACTS },
  { without: "the todo that facts are about", file: CONTEXT, find: "context.todoId !== null && context.todoId !== decision.todoId", replace: "false", turnsRed: FACTS },
  { without: "the hold of facts that nobody fetched", file: CONTEXT, find: `|| context.state === "absent"`, replace: "", turnsRed: ORACLE },
  { without: "the time after which blocked facts are asked for again", file: CONTEXT, find: "const RECHECK_MS = 60_000;", replace: "const RECHECK_MS = 0;", turnsRed: ORACLE },
];
