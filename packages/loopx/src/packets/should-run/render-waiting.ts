import { toEpochMs, type Instant } from "@loopx/contracts";
import type { Decision, Goal } from "@loopx/control-plane";
import { printCommand } from "../../command-line/print-command.ts";
import { renderBudget } from "../goal-packet.ts";
import type { Asking, DecisionBody } from "./decision-body.ts";

/** Where no time is known: an owner or another agent has to change something first. */
const UNKNOWN_RECHECK_SECONDS = 1_800;

/** Why there is nothing to do now, and when to ask again. */
export function renderWait(reason: string, until: Instant | null, { now }: Asking): DecisionBody {
  const seconds =
    until === null ? UNKNOWN_RECHECK_SECONDS : Math.max(1, Math.ceil((toEpochMs(until) - toEpochMs(now)) / 1000));
  return {
    fields: { reason, recheck_after_seconds: seconds, ...(until === null ? {} : { recheck_at: until }) },
    facts: [
      ["why", reason.replaceAll("_", " ")],
      ["ask again", until ?? `in ${seconds} s, or when an owner has changed something`],
    ],
    next: [],
  };
}

/** The budget is used up: who raises it, and with what. A window opens again by itself. */
export function renderThrottled(
  goal: Goal,
  { reason, until }: Extract<Decision, { kind: "throttled" }>,
  asking: Asking,
): DecisionBody {
  const { goalId } = asking;
  const raised = reason === "budget_total" ? { totalTurns: "<turns>" as const } : { windowTurns: "<turns>" as const };
  const { fields, facts } = renderWait(reason, until, asking);
  const used = renderBudget(goal);
  const again = "when an owner has raised the budget: the goal then goes on as it is";
  return {
    fields,
    facts:
      until === null
        ? [
            ["why", `all turns of the budget are used: ${used}`],
            ["ask again", again],
          ]
        : facts,
    next: [printCommand("goal budget", { goalId, ...raised }).shell],
    isForOwner: true,
  };
}

/** A turn that has to be settled first. */
export function renderUnsettled(decision: Extract<Decision, { kind: "repair" }>, asking: Asking): DecisionBody {
  const identity = { goalId: asking.goalId, agentId: asking.agentId };
  if (decision.code === "turn_not_settled") {
    return {
      fields: {
        code: decision.code,
        message: "the last turn has evidence but was not charged",
        turn_id: decision.turnId,
      },
      facts: [["why", "the last turn has evidence but was not charged"]],
      next: [printCommand("quota spend", { ...identity, turn: decision.turnId ?? "<turn>" }).shell],
    };
  }
  const message = "the last turns all ended without evidence: record what happened before the next one";
  return {
    fields: { code: decision.code, message },
    facts: [["why", message]],
    next: [printCommand("refresh-state", { ...identity, outcome: "blocked", evidence: "<what happened>" }).shell],
  };
}
