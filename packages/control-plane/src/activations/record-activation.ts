import type { Ambient, Refusal } from "@loopx/contracts";
import type { Database } from "@loopx/store";
import { findAgent } from "../agents/agent-rows.ts";
import { checkCaller, checkOwnTurn, refuseUnknownAgent, type Caller } from "../agents/check-actor.ts";
import { accept, changeGoal } from "../events/commit-changes.ts";
import { loadOpenGoal } from "../goals/load-goal.ts";
import { parseWrittenText } from "../todos/check-todo-text.ts";
import { findActivation } from "./activation-rows.ts";
import type { Activation } from "./activation.ts";

export interface RecordActivationRequest {
  readonly goalId: string;
  readonly caller: Caller;
  readonly agentId: string;
  readonly hostSurface: string;
  readonly threadId: string | null;
  readonly loopDriver: string | null;
  readonly taskBodyDigest: string;
}

export interface RecordedActivationChange {
  readonly ok: true;
  readonly activation: Activation;
  /** False when the lane's record said the same already; its time stays what it was. */
  readonly changed: boolean;
}

/**
 * Records that the loop of a lane was set up, and with which task body.
 *
 * Refuses with `unknown_goal`, `goal_not_active`, `unknown_agent`, `binding_not_verified`, `turn_not_held`.
 */
export async function recordActivation(
  database: Database,
  request: RecordActivationRequest,
  ambient: Pick<Ambient, "now">,
): Promise<RecordedActivationChange | Refusal> {
  if (request.loopDriver !== null) parseWrittenText(request.loopDriver, "loop_driver");
  const now = ambient.now();
  return changeGoal(database, { goalId: request.goalId, actor: request.caller.actor, now }, async (tx) => {
    const goal = await loadOpenGoal(tx, request.goalId);
    if (!goal.ok) return goal;
    const refused = (await checkCaller(tx, request.goalId, request.caller)) ?? checkOwnTurn(request);
    if (refused !== undefined) return refused;
    if ((await findAgent(tx, request.goalId, request.agentId)) === undefined) return refuseUnknownAgent(request.goalId);
    const activation: Activation = {
      goal_id: request.goalId,
      agent_id: request.agentId,
      host_surface: request.hostSurface,
      thread_id: request.threadId,
      loop_driver: request.loopDriver,
      task_body_digest: request.taskBodyDigest,
      recorded_at: now,
    };
    const stored = await findActivation(tx, request.goalId, request.agentId);
    if (stored !== undefined && isSame(stored, activation)) {
      return accept<RecordedActivationChange>({ ok: true, activation: stored, changed: false });
    }
    return accept<RecordedActivationChange>(
      { ok: true, activation, changed: true },
      { type: "activation_recorded.v1", image: activation },
    );
  });
}

function isSame(stored: Activation, other: Activation): boolean {
  return JSON.stringify({ ...stored, recorded_at: "" }) === JSON.stringify({ ...other, recorded_at: "" });
}
