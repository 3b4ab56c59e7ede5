import type { Instant } from "@loopx/contracts";
import type { Goal, GoalOverview, LaneOutlook } from "@loopx/control-plane";
import { listAsks, type Ask } from "./ask-row.ts";
import type { OrderKey } from "./ordered-head.ts";

/** What a person looks for an open goal under: each is in exactly one lane. */
export type GoalLane = "needs_you" | "in_progress" | "watching" | "held";

/** An open goal in one line. */
export interface GoalOutlook {
  readonly goal: Goal;
  readonly lane: GoalLane;
  /** The answer that puts it into its lane; null where no lane is registered. */
  readonly telling: LaneOutlook | null;
  /** The first thing that waits for a person. */
  readonly firstAsk: Ask | null;
  readonly agentCount: number;
  readonly runnableCount: number;
  readonly blockedCount: number;
  /** Todos under a claim that lasts. */
  readonly claimedCount: number;
  readonly undecidedGateCount: number;
}

export const GOAL_KEY_SHAPE = "ns";

const LANE_ORDER: Readonly<Record<GoalLane, number>> = { needs_you: 0, in_progress: 1, watching: 2, held: 3 };

/** What needs a person first. */
export function toGoalKey({ goal, lane }: GoalOutlook): OrderKey {
  return [LANE_ORDER[lane], goal.goal_id];
}

/** Tells where an open goal stands, from what its lanes would be answered now. */
export function toGoalOutlook(overview: GoalOverview, now: Instant): GoalOutlook {
  const { goal, work, gates, lanes } = overview;
  const [firstAsk] = listAsks(overview);
  const claimed = work.filter(({ todo }) => todo.claim_expires_at !== null && todo.claim_expires_at > now);
  const known = {
    goal,
    firstAsk: firstAsk ?? null,
    agentCount: lanes.length,
    runnableCount: work.filter(({ readiness }) => readiness !== "blocked").length,
    blockedCount: work.filter(({ readiness }) => readiness === "blocked").length,
    claimedCount: claimed.length,
    undecidedGateCount: gates.filter(({ isUndecided }) => isUndecided).length,
  };
  const tells = (test: (outlook: LaneOutlook) => boolean): LaneOutlook | undefined => lanes.find(test);
  const asks = tells(({ decision }) => decision.kind === "ask_user");
  if (asks !== undefined || firstAsk !== undefined) {
    return { ...known, lane: "needs_you", telling: asks ?? lanes[0] ?? null };
  }
  const works = tells(isAtWork);
  if (works !== undefined) return { ...known, lane: "in_progress", telling: works };
  const watches = tells(({ decision }) => decision.kind === "wait" && decision.reason === "monitor_not_due");
  if (watches !== undefined) return { ...known, lane: "watching", telling: watches };
  return { ...known, lane: "held", telling: lanes[0] ?? null };
}

function isAtWork({ decision }: LaneOutlook): boolean {
  if (decision.kind === "run" || decision.kind === "replan") return true;
  return (
    decision.kind === "wait" && (decision.reason === "turn_open_elsewhere" || decision.reason === "claimed_by_others")
  );
}
