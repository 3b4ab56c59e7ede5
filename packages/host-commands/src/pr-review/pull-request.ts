/** A pull request as the list of `gh` tells it: nothing that costs another request each. */
export interface PullRequest {
  readonly number: number;
  readonly title: string;
  readonly url: string;
  readonly state: "OPEN" | "CLOSED" | "MERGED";
  readonly author: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly mergedAt: string | null;
  readonly baseRef: string;
  readonly headRef: string;
  readonly headOid: string;
  readonly isDraft: boolean;
  /** `APPROVED`, `CHANGES_REQUESTED`, `REVIEW_REQUIRED`, or null where no review is asked for. */
  readonly reviewDecision: string | null;
  readonly additions: number;
  readonly deletions: number;
  readonly changedFiles: number;
}

/** The fields that `gh pr list --json` is asked for. Commits, files and checks are not: a long list of them is refused. */
export const LIST_FIELDS = [
  "number",
  "title",
  "url",
  "state",
  "author",
  "createdAt",
  "updatedAt",
  "mergedAt",
  "baseRefName",
  "headRefName",
  "headRefOid",
  "isDraft",
  "reviewDecision",
  "additions",
  "deletions",
  "changedFiles",
] as const;

/** One pull request with what its own request brings. */
export interface PullRequestDetail extends PullRequest {
  readonly body: string;
  readonly mergeState: string | null;
  readonly mergeCommit: string | null;
  readonly files: readonly { readonly path: string; readonly additions: number; readonly deletions: number }[];
  readonly commitHeadlines: readonly string[];
  readonly reviews: readonly { readonly author: string | null; readonly state: string }[];
  readonly checks: readonly { readonly name: string; readonly result: "passed" | "failed" | "pending" | "skipped" }[];
}

export const DETAIL_FIELDS = [
  ...LIST_FIELDS,
  "body",
  "mergeStateStatus",
  "mergeCommit",
  "files",
  "commits",
  "reviews",
  "statusCheckRollup",
] as const;

/** The pull request that one entry of gh's JSON is, or undefined when it is none. */
export function parsePullRequest(value: unknown): PullRequest | undefined {
  const entry = toRecord(value);
  const { number, title, url, state, createdAt, updatedAt, headRefOid } = entry;
  if (typeof number !== "number" || !Number.isSafeInteger(number) || number < 1) return undefined;
  if (typeof title !== "string" || typeof url !== "string" || typeof headRefOid !== "string") return undefined;
  if (state !== "OPEN" && state !== "CLOSED" && state !== "MERGED") return undefined;
  if (!isTime(createdAt) || !isTime(updatedAt)) return undefined;
  return {
    number,
    title,
    url,
    state,
    createdAt,
    updatedAt,
    author: toText(toRecord(entry["author"])["login"]),
    mergedAt: isTime(entry["mergedAt"]) ? entry["mergedAt"] : null,
    baseRef: toText(entry["baseRefName"]) ?? "",
    headRef: toText(entry["headRefName"]) ?? "",
    headOid: headRefOid,
    isDraft: entry["isDraft"] === true,
    reviewDecision: toText(entry["reviewDecision"]),
    additions: toCount(entry["additions"]),
    deletions: toCount(entry["deletions"]),
    changedFiles: toCount(entry["changedFiles"]),
  };
}

/** The same with its details. What a fixture leaves out is empty. */
export function parsePullRequestDetail(value: unknown): PullRequestDetail | undefined {
  const listed = parsePullRequest(value);
  if (listed === undefined) return undefined;
  const entry = toRecord(value);
  return {
    ...listed,
    body: toText(entry["body"]) ?? "",
    mergeState: toText(entry["mergeStateStatus"]),
    mergeCommit: toText(toRecord(entry["mergeCommit"])["oid"]),
    files: toList(entry["files"]).map((file) => ({
      path: toText(file["path"]) ?? "",
      additions: toCount(file["additions"]),
      deletions: toCount(file["deletions"]),
    })),
    commitHeadlines: toList(entry["commits"]).map((commit) => toText(commit["messageHeadline"]) ?? ""),
    reviews: toList(entry["reviews"]).map((review) => ({
      author: toText(toRecord(review["author"])["login"]),
      state: toText(review["state"]) ?? "",
    })),
    checks: toList(entry["statusCheckRollup"]).map((check) => ({
      name: toText(check["name"]) ?? toText(check["context"]) ?? "check",
      result: toCheckResult(check),
    })),
  };
}

const PASSED: readonly unknown[] = ["SUCCESS"];
const SKIPPED: readonly unknown[] = ["NEUTRAL", "SKIPPED"];
const FAILED: readonly unknown[] = [
  "FAILURE",
  "ERROR",
  "TIMED_OUT",
  "CANCELLED",
  "ACTION_REQUIRED",
  "STARTUP_FAILURE",
  "STALE",
];

/** A check run has a conclusion once it is completed, a commit status a state. One that is neither yet is no pass. */
function toCheckResult(check: Fields): PullRequestDetail["checks"][number]["result"] {
  const word = check["conclusion"] || check["state"];
  if (PASSED.includes(word)) return "passed";
  if (SKIPPED.includes(word)) return "skipped";
  return FAILED.includes(word) ? "failed" : "pending";
}

type Fields = Readonly<Record<string, unknown>>;

function toRecord(value: unknown): Fields {
  return typeof value === "object" && value !== null ? (value as Fields) : {};
}

function toList(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.map(toRecord) : [];
}

function toText(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

function toCount(value: unknown): number {
  return typeof value === "number" && Number.isSafeInteger(value) && value > 0 ? value : 0;
}

function isTime(value: unknown): value is string {
  return typeof value === "string" && !Number.isNaN(Date.parse(value));
}
