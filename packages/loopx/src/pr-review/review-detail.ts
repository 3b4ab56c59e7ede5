import { LIMITS, renderShellCommand, type Instant } from "@loopx/contracts";
import {
  REVIEW_CONTRACT,
  REVIEW_EVIDENCE,
  toArea,
  toHeadRule,
  toReviewAction,
  type PullRequestDetail,
  type QueuedPullRequest,
} from "@loopx/host-commands";
import { printCommand } from "../command-line/print-command.ts";
import { createTextView, cutToRoom, type TextRoom, type TextView } from "../packets/shown-text.ts";
import { toRequestPacket, withBoundary, type ReviewRequest } from "./review-frame.ts";

export interface DetailFacts {
  readonly request: ReviewRequest;
  readonly at: Instant;
  readonly pull: PullRequestDetail;
  readonly queued: QueuedPullRequest;
}

export interface ReviewDetail {
  readonly packet: object;
  readonly evidenceCommands: readonly string[];
}

/** How much of each list a packet shows, from roomy to tight; the tightest fits whatever the texts are. */
const ROOMS = [
  { rows: 10, body: { graphemes: 600, bytes: 1_500 }, line: { graphemes: 100, bytes: 200 } },
  { rows: 6, body: { graphemes: 300, bytes: 700 }, line: { graphemes: 80, bytes: 120 } },
  { rows: 3, body: { graphemes: 150, bytes: 300 }, line: { graphemes: 60, bytes: 90 } },
] as const satisfies readonly Room[];

interface Room {
  readonly rows: number;
  readonly body: TextRoom;
  readonly line: TextRoom;
}

/** Renders what a review of one pull request begins with: its facts, the evidence to be had, the contract and its head. */
export function renderDetail(facts: DetailFacts): ReviewDetail {
  const evidenceCommands = listEvidenceCommands(facts.pull, facts.request.repository);
  for (const room of ROOMS) {
    const packet = renderPacket(facts, evidenceCommands, room);
    if (Buffer.byteLength(JSON.stringify(packet)) <= LIMITS.packetMaxBytes.pr_review_one) {
      return { packet, evidenceCommands };
    }
  }
  return { packet: renderPacket(facts, evidenceCommands, { ...ROOMS[2], rows: 0 }), evidenceCommands };
}

/** Commands of gh, each with its repository, so that they read the same one from any folder. */
function listEvidenceCommands({ number }: PullRequestDetail, repository: string | null): readonly string[] {
  const inRepository = repository === null ? [] : [`--repo=${repository}`];
  const commands = [
    ["gh", "pr", "diff", String(number), ...inRepository],
    ["gh", "pr", "checks", String(number), ...inRepository],
    ["gh", "pr", "view", String(number), "--json=headRefOid", "--jq=.headRefOid", ...inRepository],
  ];
  return commands.map(renderShellCommand);
}

function renderPacket(facts: DetailFacts, evidenceCommands: readonly string[], room: Room): object {
  const { request, at, pull, queued } = facts;
  const text = createTextView(room.line);
  const recheck = evidenceCommands.at(-1) ?? "";
  const content = {
    ok: true,
    schema_version: "loopx_pr_review_command_response_v0",
    request: toRequestPacket(request),
    generated_at: at,
    pull_request: toPullPacket({ pull, queued, text, room }),
    evidence_commands: evidenceCommands,
    head_rule: toHeadRule(pull.headOid, recheck),
    agent_response_contract: REVIEW_CONTRACT,
    review_execution_contract: REVIEW_EVIDENCE,
    next: [printCommand("pr-review", request.repository === null ? {} : { repo: request.repository }).shell],
    omissions: listOmissions(pull, room),
  };
  return withBoundary(content, text);
}

interface Shown {
  readonly pull: PullRequestDetail;
  readonly queued: QueuedPullRequest;
  readonly text: TextView;
  readonly room: Room;
}

function toPullPacket({ pull, queued, text, room }: Shown): object {
  const body = createTextView(room.body);
  const motivation = body.show(pull.body);
  text.add(body.masked);
  const largest = pull.files.toSorted((left, right) => sizeOf(right) - sizeOf(left)).slice(0, room.rows);
  return {
    number: pull.number,
    title: text.show(pull.title),
    url: pull.url,
    state: pull.state.toLowerCase(),
    author: pull.author,
    author_owned: queued.isAuthorOwned,
    is_draft: pull.isDraft,
    created_at: pull.createdAt,
    updated_at: pull.updatedAt,
    ...(pull.mergedAt === null ? {} : { merged_at: pull.mergedAt, merge_commit: pull.mergeCommit }),
    base_ref: text.show(pull.baseRef),
    head_ref: text.show(pull.headRef),
    head_oid: pull.headOid,
    review_decision: pull.reviewDecision,
    merge_state: pull.mergeState,
    why_now: queued.lane,
    review_action: toReviewAction(queued.lane),
    risk_hint: queued.riskHint,
    motivation,
    scale: { files: pull.changedFiles, additions: pull.additions, deletions: pull.deletions },
    areas: countAreas(pull),
    key_files: largest.map((file) => `${text.show(file.path)} +${file.additions} -${file.deletions}`),
    commit_headlines: pull.commitHeadlines.slice(0, room.rows).map(text.show),
    reviews: pull.reviews
      .slice(-room.rows || pull.reviews.length)
      .map(({ author, state }) => `${author ?? "nobody"} ${state}`),
    checks: toChecks(pull, text, room),
  };
}

function sizeOf(file: PullRequestDetail["files"][number]): number {
  return file.additions + file.deletions;
}

function countAreas({ files }: PullRequestDetail): Readonly<Record<string, number>> {
  const areas: Record<string, number> = {};
  for (const { path } of files) areas[toArea(path)] = (areas[toArea(path)] ?? 0) + 1;
  return areas;
}

/** Checks by result; those that are no pass by name. No check is no pass either: the count says 0. */
function toChecks({ checks }: PullRequestDetail, text: TextView, room: Room): object {
  const named = (result: string): readonly string[] =>
    checks
      .filter((check) => check.result === result)
      .slice(0, room.rows)
      .map((check) => text.show(check.name));
  const count = (result: string): number => checks.filter((check) => check.result === result).length;
  return {
    total: checks.length,
    passed: count("passed"),
    failed: count("failed"),
    pending: count("pending"),
    skipped: count("skipped"),
    failures: named("failed"),
    still_pending: named("pending"),
  };
}

function listOmissions(pull: PullRequestDetail, room: Room): readonly string[] {
  const left = (name: string, count: number): readonly string[] =>
    count > room.rows ? [`${count - room.rows} ${name}`] : [];
  const isBodyCut = cutToRoom(pull.body, room.body) !== pull.body;
  return [
    ...left("files", pull.files.length),
    ...left("commits", pull.commitHeadlines.length),
    ...left("reviews", pull.reviews.length),
    ...(isBodyCut ? ["the rest of the body"] : []),
    "the diff: run the evidence commands",
  ];
}
