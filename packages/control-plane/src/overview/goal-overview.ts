import type { Instant } from "@loopx/contracts";
import type { Transaction } from "@loopx/store";
import { listAgents } from "../agents/agent-rows.ts";
import { decideNext } from "../decision/decide-next.ts";
import type { Decision, DecisionFacts } from "../decision/decision.ts";
import { loadTurnFacts, type TurnFacts } from "../decision/load-decision-facts.ts";
import { isUndecided } from "../decision/runnable-todo.ts";
import type { Gate } from "../gates/gate.ts";
import type { Goal } from "../goals/goal.ts";
import { loadGoalFacts, renewGoalFacts, type KeptGoalFacts } from "./goal-facts.ts";
import { listProgress, type Progress } from "./overview-rows.ts";
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
  /** What was read of the project's goals before; without it everything is read. */
  readonly kept?: KeptGoalFacts | undefined;
}

/** Reads one open goal, within the caller's transaction. */
export async function loadGoalOverview(
  tx: Transaction,
  goal: Goal,
  query: OverviewQuery,
  now: Instant,
): Promise<GoalOverview> {
  const goalId = goal.goal_id;
  const withRisks = query.includes.has("risks");
  const { kept } = query;
  const facts =
    kept === undefined ? await loadGoalFacts(tx, goal, withRisks) : await renewGoalFacts(tx, goal, { kept, withRisks });
  const { live, gates, doneTodoIds } = facts;
  const todos = live.filter((todo) => todo.task_class !== "user_gate");
  const shared = { todos, gates, doneTodoIds };
  const lanes = query.includes.size === 0 ? [] : await loadLanes(tx, { goal, query, ...shared }, now);
  const view = { ...shared, agentId: query.agentId, goalStatus: goal.status };
  const openTurns = lanes.flatMap(({ turns }) => (turns.openTurn === null ? [] : [turns.openTurn]));
  return {
    goal,
    gates: live.flatMap((todo) => toLiveGate(todo, now)),
    work: todos.map((todo) => toWorkItem(todo, view, now)),
    lanes: lanes.map(({ agentId, decision }) => ({ agentId, decision })),
    risks: facts.risks === null ? [] : listRisks({ ...facts.risks, todos: live, openTurns }, now),
    hasUnscannedTexts: withRisks && live.length > TEXTS_SCANNED,
    progress: query.progressSince === null ? [] : await listProgress(tx, goalId, query.progressSince),
  };
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
