import { toEpochMs, type Instant } from "@loopx/contracts";
import type { Decision } from "@loopx/control-plane";
import { printCommand } from "../../command-line/print-command.ts";
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
