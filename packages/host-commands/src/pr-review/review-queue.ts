import type { PullRequest } from "./pull-request.ts";

/** Why a pull request stands where it stands, in the order of the queue. */
export const SCHEDULING_LANES = [
  "waiting_long",
  "waiting",
  "author_owned",
  "fresh",
  "decided",
  "merged",
  "draft",
  "closed",
] as const;
export type SchedulingLane = (typeof SCHEDULING_LANES)[number];

export type RiskHint = "high" | "medium" | "low";

/** A pull request with its place in the queue. */
export interface QueuedPullRequest {
  readonly pull: PullRequest;
  readonly lane: SchedulingLane;
  /** Null where nobody knows who reviews. */
  readonly isAuthorOwned: boolean | null;
  readonly ageHours: number;
  readonly riskHint: RiskHint;
}

const HOUR_MS = 3_600_000;

/** The order of review: what others wait for longest, then one's own, then what needs no verdict before it is merged. */
export function queuePullRequests(
  pulls: readonly PullRequest[],
  reviewer: string | null,
  nowMs: number,
): readonly QueuedPullRequest[] {
  return pulls
    .map((pull) => toQueued(pull, reviewer, nowMs))
    .toSorted(
      (left, right) =>
        SCHEDULING_LANES.indexOf(left.lane) - SCHEDULING_LANES.indexOf(right.lane) ||
        right.ageHours - left.ageHours ||
        left.pull.number - right.pull.number,
    );
}

export function toQueued(pull: PullRequest, reviewer: string | null, nowMs: number): QueuedPullRequest {
  const isAuthorOwned = reviewer === null ? null : pull.author?.toLowerCase() === reviewer.toLowerCase();
  const ageHours = Math.max(0, Math.floor((nowMs - Date.parse(pull.createdAt)) / HOUR_MS));
  return { pull, isAuthorOwned, ageHours, lane: findLane(pull, isAuthorOwned, ageHours), riskHint: toRiskHint(pull) };
}

function findLane(pull: PullRequest, isAuthorOwned: boolean | null, ageHours: number): SchedulingLane {
  if (pull.state === "CLOSED") return "closed";
  if (pull.state === "MERGED") return "merged";
  if (pull.isDraft) return "draft";
  if (pull.reviewDecision === "APPROVED" || pull.reviewDecision === "CHANGES_REQUESTED") return "decided";
  if (isAuthorOwned === true) return "author_owned";
  if (ageHours >= 48) return "waiting_long";
  return ageHours >= 24 ? "waiting" : "fresh";
}

/** By size alone: what a list knows. The review finds out the rest. */
function toRiskHint({ changedFiles, additions, deletions }: PullRequest): RiskHint {
  const lines = additions + deletions;
  if (changedFiles >= 12 || lines >= 800) return "high";
  return changedFiles >= 5 || lines >= 200 ? "medium" : "low";
}

/** What kind of review it needs. */
export function toReviewAction(lane: SchedulingLane): "review" | "self_check" | "post_merge_audit" | "none" {
  switch (lane) {
    case "waiting_long":
    case "waiting":
    case "fresh":
      return "review";
    case "author_owned":
      return "self_check";
    case "merged":
      return "post_merge_audit";
    case "decided":
    case "draft":
    case "closed":
      return "none";
    default:
      throw new TypeError(`no review action for ${String(lane satisfies never)}`);
  }
}

/** The area of a repository that a path belongs to, by its name alone. */
export function toArea(path: string): "tests" | "docs" | "build_and_ci" | "generated" | "code" {
  if (
    /(?:^|\/)(?:dist|generated|vendor)\/|\.lock$|(?:^|\/)(?:package-lock\.json|pnpm-lock\.yaml)$|\.snap$/.test(path)
  ) {
    return "generated";
  }
  if (/(?:^|\/)(?:tests?|__tests__|spec|fixtures|examples?)\/|\.(?:test|spec)\.[a-z]+$/.test(path)) return "tests";
  if (/(?:^|\/)docs?\/|\.(?:md|mdx|rst|txt|adoc)$/i.test(path)) return "docs";
  if (/(?:^|\/)\.(?:github|gitlab|ci)\/|(?:^|\/)(?:Dockerfile|Makefile)$|\.ya?ml$/.test(path)) return "build_and_ci";
  return "code";
}
