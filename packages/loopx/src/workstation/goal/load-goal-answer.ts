import type { AgentRow, GoalAnswer } from "@loopx/workstation/contract";
import { addMs, formatDuration, toEpochMs, toInstant, type Instant } from "@loopx/contracts";
import {
  countBoard,
  countLiveGates,
  countOpenTurns,
  countTurnsByDay,
  decideNext,
  findOpenTurn,
  listAgents,
  listBindingsOfGoal,
  listLiveGates,
  listTurns,
  loadDecisionFacts,
  loadLastSeq,
  loadTurnUse,
  type DayOfTurns,
  type Goal,
} from "@loopx/control-plane";
import type { Transaction } from "@loopx/store";
import { sayDecision } from "../overview/say-why.ts";
import type { FoundGoal } from "./read-goal.ts";
import { toGateRows } from "./gate-rows.ts";
import { toTurnRow } from "./turn-row.ts";

const DAY_MS = 86_400_000;
const DAYS_SHOWN = 30;
const TURNS_SHOWN = 20;
const GATES_SHOWN = 50;

/** Everything of a goal but its todos and events, which come a page at a time. */
export async function loadGoalAnswer(tx: Transaction, { goal, project }: FoundGoal, now: Instant): Promise<GoalAnswer> {
  const goalId = goal.goal_id;
  const windowStart = goal.budget_window_ms === null ? null : addMs(now, -goal.budget_window_ms);
  const use = await loadTurnUse(tx, goalId, windowStart);
  const firstDay = toInstant(Math.floor(toEpochMs(now) / DAY_MS) * DAY_MS - (DAYS_SHOWN - 1) * DAY_MS);
  return {
    at: now,
    seq: await loadLastSeq(tx, goalId),
    project_id: project.projectId,
    project_label: project.label,
    goal: toGoal(goal),
    board: await countBoard(tx, goalId, now),
    turns: {
      used: use.total,
      open: await countOpenTurns(tx, goalId),
      used_in_window: use.inWindow,
      days: fillDays(firstDay, await countTurnsByDay(tx, goalId, firstDay)),
      latest: (await listTurns(tx, goalId, { todoId: null, limit: TURNS_SHOWN })).map(toTurnRow),
    },
    gates: await toGateRows(tx, goalId, await listLiveGates(tx, goalId, GATES_SHOWN)),
    gate_count: await countLiveGates(tx, goalId),
    agents: await loadAgents(tx, goal, now),
  };
}

function toGoal(goal: Goal): GoalAnswer["goal"] {
  return {
    goal_id: goal.goal_id,
    objective: goal.objective,
    status: goal.status,
    revision: goal.revision,
    reason: goal.reason,
    budget_total_turns: goal.budget_total_turns,
    budget_window_turns: goal.budget_window_turns,
    budget_window: goal.budget_window_ms === null ? null : formatDuration(goal.budget_window_ms),
    created_at: goal.created_at,
  };
}

/** Each day from the first to the last of them, also those without a turn. */
function fillDays(firstDay: Instant, counted: readonly DayOfTurns[]): GoalAnswer["turns"]["days"] {
  const days = Array.from({ length: DAYS_SHOWN }, (_, index) => ({
    day: addMs(firstDay, index * DAY_MS).slice(0, 10),
    charged: 0,
    open: 0,
    released: 0,
  }));
  const byDay = new Map(days.map((day) => [day.day, day]));
  for (const { day, state, count } of counted) {
    const of = byDay.get(day);
    if (of === undefined) continue;
    of[state === "settled" || state === "lapsed" ? "charged" : state] += count;
  }
  return days;
}

async function loadAgents(tx: Transaction, goal: Goal, now: Instant): Promise<readonly AgentRow[]> {
  const goalId = goal.goal_id;
  const bindings = await listBindingsOfGoal(tx, goalId);
  const rows: AgentRow[] = [];
  for (const { agent_id: agentId, registered_at: registeredAt } of await listAgents(tx, goalId)) {
    const turn = await findOpenTurn(tx, goalId, agentId);
    const holder = { turnId: turn?.turn_id ?? null, label: null };
    const { decision } = decideNext(await loadDecisionFacts(tx, goal, { agentId, holder }, now), now);
    rows.push({
      agent_id: agentId,
      registered_at: registeredAt,
      state: decision.kind,
      why: sayDecision(decision, agentId),
      open_turn: turn === undefined ? null : toTurnRow(turn),
      threads: bindings
        .filter((binding) => binding.agent_id === agentId)
        .map(({ host_surface, thread_id, is_verified, bound_at }) => ({
          host_surface,
          thread_id,
          is_verified,
          bound_at,
        })),
    });
  }
  return rows;
}
