import { addMs, refuse, type Ambient, type Instant, type Refusal } from "@loopx/contracts";
import type { Database, Transaction } from "@loopx/store";
import { checkCaller, checkOwnTurn, type Caller } from "../agents/check-actor.ts";
import { accept, changeGoal } from "../events/commit-changes.ts";
import type { Change } from "../events/event.ts";
import { loadGoal } from "../goals/load-goal.ts";
import type { Goal } from "../goals/goal.ts";
import { withoutClaim } from "../todos/claim-todo.ts";
import { findTodo } from "../todos/todo-rows.ts";
import { refuseLostLease, refuseUnknownTurn } from "./record-evidence.ts";
import { countOpenTurns, findEvidenceOfTurn, findTurn, loadTurnUse, type TurnUse } from "./turn-rows.ts";
import { renderSettlementIdentity, REPLAN, type Turn } from "./turn.ts";

export interface SpendRequest {
  readonly goalId: string;
  readonly caller: Caller;
  readonly agentId: string;
  readonly turnId: string;
  /** Checked against the turn when given. */
  readonly todoId: string | null;
}

export interface SpentTurn {
  readonly ok: true;
  readonly goal: Goal;
  readonly turn: Turn;
  readonly settlementIdentity: string;
  /** True when an earlier call charged it; nothing was charged now. */
  readonly alreadySpent: boolean;
  readonly use: TurnUse;
  /** Turns of the goal that are open still, of every lane. */
  readonly openTurnCount: number;
}

/**
 * Charges one turn that has evidence, exactly once per settlement identity.
 *
 * A monitor that stays open is due again one cadence later. Works on a goal that has been paused or completed since.
 * Refuses with `unknown_turn`, `turn_not_held`, `lease_lost`, `evidence_required`, `invalid_value`.
 */
export async function spendTurn(
  database: Database,
  request: SpendRequest,
  ambient: Pick<Ambient, "now">,
): Promise<SpentTurn | Refusal> {
  const now = ambient.now();
  return changeGoal(database, { goalId: request.goalId, actor: request.caller.actor, now }, async (tx) => {
    const goal = await loadGoal(tx, request.goalId);
    if (!goal.ok) return goal;
    const refused = (await checkCaller(tx, request.goalId, request.caller)) ?? checkOwnTurn(request);
    if (refused !== undefined) return refused;
    const turn = await findTurn(tx, request.goalId, request.turnId);
    if (turn === undefined) return refuseUnknownTurn(request.turnId);
    const unfit = await checkSpendable(tx, turn, request);
    if (unfit !== undefined) return unfit;
    const use = await loadTurnUse(tx, request.goalId, null);
    const openTurnCount = (await countOpenTurns(tx, request.goalId)) - (turn.state === "open" ? 1 : 0);
    const spent = {
      ok: true,
      goal: goal.goal,
      settlementIdentity: renderSettlementIdentity(turn),
      use,
      openTurnCount,
    } as const;
    if (turn.state === "settled") return accept<SpentTurn>({ ...spent, turn, alreadySpent: true });
    const settled: Turn = { ...turn, state: "settled", closed_at: now };
    return accept<SpentTurn>(
      { ...spent, turn: settled, alreadySpent: false },
      { type: "turn_settled.v1", image: settled },
      ...(await rescheduleMonitor(tx, turn, now)),
    );
  });
}

async function checkSpendable(tx: Transaction, turn: Turn, request: SpendRequest): Promise<Refusal | undefined> {
  if (turn.agent_id !== request.agentId) {
    return refuse("turn_not_held", {
      message: "the turn belongs to another agent",
      details: { turn_id: turn.turn_id },
    });
  }
  if (request.todoId !== null && request.todoId !== turn.todo_id) {
    return refuse("invalid_value", {
      message: "the turn is for another todo",
      details: { field: "todo_id", expected: turn.todo_id },
    });
  }
  if (turn.state === "released") return refuseLostLease(turn);
  if (turn.state === "settled" || (await findEvidenceOfTurn(tx, turn.goal_id, turn.turn_id)) !== undefined) {
    return undefined;
  }
  return refuse("evidence_required", {
    message: "nothing is recorded for this turn yet, so it cannot be charged",
    hint:
      `loopx refresh-state --goal-id=${turn.goal_id} --agent-id=${turn.agent_id} --turn=${turn.turn_id} ` +
      "--outcome=progress '--evidence=<what was done and how it was checked>'",
    details: { turn_id: turn.turn_id },
  });
}

async function rescheduleMonitor(tx: Transaction, turn: Turn, now: Instant): Promise<readonly Change[]> {
  if (turn.todo_id === REPLAN) return [];
  const todo = await findTodo(tx, turn.goal_id, turn.todo_id);
  if (todo?.task_class !== "monitor" || todo.status !== "open" || todo.cadence_ms === null) return [];
  // Somebody else checks it by now, and their charge sets the next time.
  if (todo.claim_epoch !== turn.claim_epoch) return [];
  const image = { ...withoutClaim(todo), due_at: addMs(now, todo.cadence_ms), updated_at: now };
  return [{ type: "todo_updated.v1", image }];
}
