import type { Instant } from "@loopx/contracts";
import type { Transaction } from "@loopx/store";
import { listAgents } from "../agents/agent-rows.ts";
import { findDone } from "../decision/candidate-rows.ts";
import { decideNext } from "../decision/decide-next.ts";
import type { Decision, DecisionFacts, GateFact } from "../decision/decision.ts";
import { loadTurnFacts, type TurnFacts } from "../decision/load-decision-facts.ts";
import { isUndecided } from "../decision/runnable-todo.ts";
import { isRestrictedActionKind, type Gate } from "../gates/gate.ts";
import type { Goal } from "../goals/goal.ts";
import {
  listFailedChecks,
  listGatesOfLive,
  listLiveTodos,
  listProgress,
  listReopenedIds,
  type Progress,
} from "./overview-rows.ts";
import { listRisks, TEXTS_SCANNED, type Risk } from "./risk.ts";
import { toWorkItem, type LiveTodo, type WorkItem } from "./work-item.ts";

/** A gate that still asks or holds. */
export interface LiveGate {
  readonly todo: LiveTodo;
  readonly gate: Gate;
  /** True while an owner has yet to answer it. */
  readonly isUndecided: boolean;
}

/** A lane and what `quota should-run` would answer it now, before a turn is opened. */
export interface LaneOutlook {
  readonly agentId: string;
  readonly decision: Decision;
}

/** One open goal as the views over all projects show it. */
export interface GoalOverview {
  readonly goal: Goal;
  readonly gates: readonly LiveGate[];
  readonly work: readonly WorkItem[];
  /** Empty unless asked for. */
  readonly lanes: readonly LaneOutlook[];
  /** Empty unless asked for. */
  readonly risks: readonly Risk[];
  /** True when more texts are there than were looked through for what is masked. */
  readonly hasUnscannedTexts: boolean;
  /** Empty unless asked for. */
  readonly progress: readonly Progress[];
}

export interface OverviewQuery {
  /** The lane whose side it is seen from, which is a lane of the goal; null for all. */
  readonly agentId: string | null;
  readonly includes: ReadonlySet<"lanes" | "risks">;
  /** Since when progress is wanted; null for none. */
  readonly progressSince: Instant | null;
}

/** Reads one open goal, within the caller's transaction. */
export async function loadGoalOverview(
  tx: Transaction,
  goal: Goal,
  query: OverviewQuery,
  now: Instant,
): Promise<GoalOverview> {
  const goalId = goal.goal_id;
  const live = await listLiveTodos(tx, goalId);
  const todos = live.filter((todo) => todo.task_class !== "user_gate");
  const shared = { todos, gates: await loadGates(tx, goalId, live), doneTodoIds: await findDone(tx, goalId, todos) };
  const lanes = query.includes.size === 0 ? [] : await loadLanes(tx, { goal, query, ...shared }, now);
  const view = { ...shared, agentId: query.agentId, goalStatus: goal.status };
  return {
    goal,
    gates: live.flatMap((todo) => toLiveGate(todo, now)),
    work: todos.map((todo) => toWorkItem(todo, view, now)),
    lanes: lanes.map(({ agentId, decision }) => ({ agentId, decision })),
    risks: query.includes.has("risks") ? await loadRisks(tx, { goal, live, lanes }, now) : [],
    hasUnscannedTexts: query.includes.has("risks") && live.length > TEXTS_SCANNED,
    progress: query.progressSince === null ? [] : await listProgress(tx, goalId, query.progressSince),
  };
}

/** Most goals have neither a gate nor work that needs one: those are told without asking the store. */
async function loadGates(tx: Transaction, goalId: string, live: readonly LiveTodo[]): Promise<readonly GateFact[]> {
  const mayHaveGates = live.some((todo) => todo.task_class === "user_gate" || isRestrictedActionKind(todo.action_kind));
  return mayHaveGates ? listGatesOfLive(tx, goalId, live) : [];
}

function toLiveGate(todo: LiveTodo, now: Instant): readonly LiveGate[] {
  if (todo.task_class !== "user_gate" || todo.gate === null) return [];
  const { gate } = todo;
  return [{ todo, gate, isUndecided: isUndecided(gate, now) }];
}

interface LoadedLane extends LaneOutlook {
  readonly turns: TurnFacts;
}

async function loadLanes(
  tx: Transaction,
  known: Pick<DecisionFacts, "goal" | "todos" | "gates" | "doneTodoIds"> & { readonly query: OverviewQuery },
  now: Instant,
): Promise<readonly LoadedLane[]> {
  const { query, ...facts } = known;
  const lanes: LoadedLane[] = [];
  for (const { agent_id: agentId } of await listAgents(tx, facts.goal.goal_id)) {
    if (query.agentId !== null && query.agentId !== agentId) continue;
    const turns = await loadTurnFacts(tx, facts.goal, agentId, now);
    const holder = { turnId: turns.openTurn?.turn_id ?? null, label: null };
    lanes.push({
      agentId,
      turns,
      decision: decideNext({ ...facts, ...turns, agentId, holder, context: null }, now).decision,
    });
  }
  return lanes;
}

async function loadRisks(
  tx: Transaction,
  known: { readonly goal: Goal; readonly live: readonly LiveTodo[]; readonly lanes: readonly LoadedLane[] },
  now: Instant,
): Promise<readonly Risk[]> {
  const { goal, live, lanes } = known;
  const openTurns = lanes.flatMap(({ turns }) => (turns.openTurn === null ? [] : [turns.openTurn]));
  const failedChecks = await listFailedChecks(tx, goal.goal_id);
  const reopenedTodoIds = await listReopenedIds(tx, goal.goal_id, live);
  return listRisks({ goal, todos: live, openTurns, failedChecks, reopenedTodoIds }, now);
}
