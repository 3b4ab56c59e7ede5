import type { Instant } from "@loopx/contracts";
import type { Transaction } from "@loopx/store";
import { findDone } from "../decision/candidate-rows.ts";
import type { GateFact } from "../decision/decision.ts";
import { instant, orNull } from "../events/column-rule.ts";
import { takeStored } from "../events/entity-table.ts";
import { isRestrictedActionKind } from "../gates/gate.ts";
import type { Goal } from "../goals/goal.ts";
import {
  listFailedChecks,
  listGatesOfLive,
  listLiveTodos,
  listReopenedIds,
  type FailedCheck,
} from "./overview-rows.ts";
import { listBoundaryWarnings, type Risk } from "./risk.ts";
import type { LiveTodo } from "./work-item.ts";

/** What is read of a goal and changes with its events only, but for the claims' ends: nothing of it depends on the clock. */
export interface GoalFacts {
  readonly live: readonly LiveTodo[];
  readonly gates: readonly GateFact[];
  readonly doneTodoIds: ReadonlySet<string>;
  /** Null unless risks are asked for. */
  readonly risks: RiskSources | null;
}

export interface RiskSources {
  readonly failedChecks: readonly FailedCheck[];
  readonly boundaryWarnings: readonly Risk[];
  readonly reopenedTodoIds: readonly string[];
}

/** Facts of goals from one look to the next, by goal: for a process that looks again and again. */
export type KeptGoalFacts = Map<string, { readonly mark: string; readonly facts: GoalFacts }>;

/** Reads the facts of a goal, within the caller's transaction. */
export async function loadGoalFacts(tx: Transaction, goal: Goal, withRisks: boolean): Promise<GoalFacts> {
  const goalId = goal.goal_id;
  const live = await listLiveTodos(tx, goalId);
  const todos = live.filter((todo) => todo.task_class !== "user_gate");
  return {
    live,
    gates: await loadGates(tx, goalId, live),
    doneTodoIds: await findDone(tx, goalId, todos),
    risks: withRisks
      ? {
          failedChecks: await listFailedChecks(tx, goalId),
          boundaryWarnings: listBoundaryWarnings(goal, live),
          reopenedTodoIds: await listReopenedIds(tx, goalId, live),
        }
      : null,
  };
}

/**
 * The facts of a goal as they are now: those kept, where no event came since, with the claims' ends read anew, since leases are
 * extended without an event. Keeps what it had to read.
 */
export async function renewGoalFacts(
  tx: Transaction,
  goal: Goal,
  { kept, withRisks }: { readonly kept: KeptGoalFacts; readonly withRisks: boolean },
): Promise<GoalFacts> {
  const mark = `${withRisks} ${await loadLastEvent(tx, goal.goal_id)}`;
  const known = kept.get(goal.goal_id);
  if (known?.mark === mark) return withClaimEnds(known.facts, await listClaimEnds(tx, goal.goal_id));
  const facts = await loadGoalFacts(tx, goal, withRisks);
  kept.set(goal.goal_id, { mark, facts });
  return facts;
}

/** A restored store may count its events anew, so the event itself tells, not its number alone. */
async function loadLastEvent(tx: Transaction, goalId: string): Promise<string> {
  const last = await tx.get(
    "SELECT seq, at, type, entity, entity_id, image FROM events WHERE goal_id = ? ORDER BY seq DESC LIMIT 1",
    goalId,
  );
  return JSON.stringify(last ?? null);
}

/** The ends of the claims that open turns extend: any other claim ends as it was written, by an event. */
async function listClaimEnds(tx: Transaction, goalId: string): Promise<ReadonlyMap<string, Instant | null>> {
  const rows = await tx.all<{ readonly todo_id: string; readonly claim_expires_at: Instant | null }>(
    "SELECT todo_id, claim_expires_at FROM todos WHERE goal_id = ? AND todo_id IN " +
      "(SELECT todo_id FROM turns WHERE goal_id = ? AND state = 'open')",
    goalId,
    goalId,
  );
  const at = { table: "todos", column: "claim_expires_at" };
  return new Map(rows.map((row) => [row.todo_id, takeStored(row.claim_expires_at, orNull(instant), at)]));
}

function withClaimEnds(facts: GoalFacts, ends: ReadonlyMap<string, Instant | null>): GoalFacts {
  if (ends.size === 0) return facts;
  const live = facts.live.map((todo) => {
    const end = ends.get(todo.todo_id);
    return end === undefined || end === todo.claim_expires_at ? todo : { ...todo, claim_expires_at: end };
  });
  return { ...facts, live };
}

/** Most goals have neither a gate nor work that needs one: those are told without asking the store. */
async function loadGates(tx: Transaction, goalId: string, live: readonly LiveTodo[]): Promise<readonly GateFact[]> {
  const mayHaveGates = live.some((todo) => todo.task_class === "user_gate" || isRestrictedActionKind(todo.action_kind));
  return mayHaveGates ? listGatesOfLive(tx, goalId, live) : [];
}
