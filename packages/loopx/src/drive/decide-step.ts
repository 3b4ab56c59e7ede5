import { toEpochMs, type Instant } from "@loopx/contracts";
import type { Decision, Turn } from "@loopx/control-plane";

/** Why a driver ended. */
export type StopReason =
  | "done"
  | "paused"
  | "ask_user"
  | "throttled"
  | "repair"
  | "refused"
  | "wait"
  | "driven_elsewhere"
  | "max_turns"
  | "failing"
  | "interrupted";

/** What a driver does with one answer of the guard. */
export type DriveStep =
  | { readonly kind: "take_turn" }
  | { readonly kind: "wait"; readonly ms: number; readonly reason: string }
  /** A turn with evidence is still to be charged: the only repair that needs no judgement. */
  | { readonly kind: "charge"; readonly turnId: string }
  | { readonly kind: "stop"; readonly by: StopReason };

/** A turn of another holder, as it was seen when the driver waited for it. */
export type TurnElsewhere = Pick<Turn, "turn_id" | "lease_expires_at">;

/** What may come earlier than foreseen: a new todo, an owner's word. So it is asked again after half an hour at most. */
const LONGEST_WAIT_MS = 1_800_000;

/**
 * What the decision asks of a driver. Pure.
 *
 * `seen`: the turn of another holder that it waited for before. One that lives renews its lease or holds another turn by
 * now, and two drivers of one lane are one too many; a dead one's lease runs out.
 */
export function decideStep(
  answer: { readonly decision: Decision; readonly turn: Turn | null },
  seen: TurnElsewhere | undefined,
  now: Instant,
): DriveStep {
  const { decision } = answer;
  switch (decision.kind) {
    case "run":
    case "replan":
      return { kind: "take_turn" };
    case "wait":
      if (decision.reason === "turn_open_elsewhere" && isAlive(answer.turn, seen)) {
        return { kind: "stop", by: "driven_elsewhere" };
      }
      return waitUntil(decision.reason, decision.until, now);
    case "throttled":
      // A window moves on by itself; a total is an owner's to raise.
      return decision.reason === "budget_window"
        ? waitUntil(decision.reason, decision.until, now)
        : { kind: "stop", by: "throttled" };
    case "repair":
      return decision.code === "turn_not_settled" && decision.turnId !== null
        ? { kind: "charge", turnId: decision.turnId }
        : { kind: "stop", by: "repair" };
    case "ask_user":
    case "paused":
    case "done":
      return { kind: "stop", by: decision.kind };
    default:
      return decision satisfies never;
  }
}

function isAlive(turn: Turn | null, seen: TurnElsewhere | undefined): boolean {
  if (turn === null || seen === undefined) return false;
  return turn.turn_id !== seen.turn_id || turn.lease_expires_at !== seen.lease_expires_at;
}

function waitUntil(reason: string, until: Instant | null, now: Instant): DriveStep {
  const ms = until === null ? LONGEST_WAIT_MS : toEpochMs(until) - toEpochMs(now);
  return { kind: "wait", ms: Math.min(Math.max(ms, 1000), LONGEST_WAIT_MS), reason };
}
