import { LIMITS, type Instant } from "@loopx/contracts";
import { REVIEW_CONTRACT, toReviewAction, type QueuedPullRequest } from "@loopx/host-commands";
import { printCommand } from "../command-line/print-command.ts";
import type { FlagInputsOf } from "../command-table/command-table.ts";
import { createTextView, type TextRoom, type TextView } from "../packets/shown-text.ts";
import { toRequestPacket, withBoundary, type ReviewRequest } from "./review-frame.ts";

const TITLE: TextRoom = { graphemes: 120, bytes: 400 };

/** What the index is made from. */
export interface IndexFacts {
  readonly request: ReviewRequest;
  readonly at: Instant;
  readonly queue: readonly QueuedPullRequest[];
  /** True when GitHub has more than were asked for: every count is a lower bound then. */
  readonly isCut: boolean;
  /** Pull requests before this page. */
  readonly offset: number;
  readonly printIndex: (flags: FlagInputsOf<"pr-review">) => string;
}

export interface ReviewIndex {
  readonly packet: object;
  readonly rows: readonly QueuedPullRequest[];
  readonly headline: string;
  readonly next: readonly string[];
}

/** Renders as much of the queue as its budget takes, and how an agent has to answer. */
export function renderIndex(facts: IndexFacts): ReviewIndex {
  const rest = facts.queue.slice(facts.offset);
  for (let count = rest.length; ; count -= 1) {
    const index = renderRows(facts, rest.slice(0, count), count < rest.length ? facts.offset + count : undefined);
    const bytes = Buffer.byteLength(JSON.stringify(index.packet));
    if (count <= 1 || bytes <= LIMITS.packetMaxBytes.pr_review_index) return index;
  }
}

function renderRows(
  facts: IndexFacts,
  rows: readonly QueuedPullRequest[],
  nextOffset: number | undefined,
): ReviewIndex {
  const { request, queue, isCut, printIndex } = facts;
  const text = createTextView(TITLE);
  const first = rows.find(({ lane }) => toReviewAction(lane) !== "none");
  const next = [
    ...(first === undefined ? [] : [printDetail(first.pull.number, request)]),
    ...(nextOffset === undefined ? [] : [printIndex({ cursor: String(nextOffset) })]),
    ...(isCut ? [printIndex({ limit: Math.min(1000, request.limit * 2) })] : []),
  ];
  const headline = renderHeadline(queue, isCut);
  const content = {
    ok: true,
    schema_version: "loopx_pr_review_command_response_v0",
    request: toRequestPacket(request),
    generated_at: facts.at,
    summary: { headline, ...toCounts(queue), recommended_first_pr: first?.pull.number ?? null },
    result_completeness: toCompleteness(facts, rows.length, nextOffset),
    agent_response_contract: REVIEW_CONTRACT,
    review_sequence: rows.map((row, at) => toRow(row, facts.offset + at + 1, text)),
    detail_command: printCommand("pr-review", { pr: "<number>", ...toRepository(request) }).shell,
    ...(nextOffset === undefined ? {} : { next_cursor: String(nextOffset) }),
    next,
    omissions: ["bodies, files, commits, reviews and checks: in the detail of each pull request"],
  };
  return { packet: withBoundary(content, text), rows, headline, next };
}

function printDetail(pr: number, request: ReviewRequest): string {
  return printCommand("pr-review", { pr, ...toRepository(request) }).shell;
}

function toRepository({ repository }: ReviewRequest): { readonly repo?: string } {
  return repository === null ? {} : { repo: repository };
}

function toCounts(queue: readonly QueuedPullRequest[]): Readonly<Record<string, number>> {
  const count = (isIt: (row: QueuedPullRequest) => boolean): number => queue.filter(isIt).length;
  return {
    total_pr_count: queue.length,
    open_pr_count: count(({ pull }) => pull.state === "OPEN"),
    merged_pr_count: count(({ pull }) => pull.state === "MERGED"),
    closed_pr_count: count(({ pull }) => pull.state === "CLOSED"),
    draft_count: count(({ pull }) => pull.isDraft && pull.state === "OPEN"),
    open_review_attention_count: count(({ lane }) => toReviewAction(lane) === "review"),
    author_owned_count: count(({ lane }) => lane === "author_owned"),
    post_merge_review_count: count(({ lane }) => lane === "merged"),
  };
}

function renderHeadline(queue: readonly QueuedPullRequest[], isCut: boolean): string {
  const {
    open_review_attention_count: waiting = 0,
    open_pr_count: open = 0,
    merged_pr_count: merged = 0,
  } = toCounts(queue);
  const bound = isCut ? "at least " : "";
  return `${bound}${waiting} to review, ${open} open, ${merged} merged`;
}

function toCompleteness(
  { request, queue, isCut }: IndexFacts,
  included: number,
  nextOffset: number | undefined,
): object {
  return {
    schema_version: "pr_review_result_completeness_v0",
    complete: !isCut && nextOffset === undefined,
    truncated: isCut,
    limit: request.limit,
    source_scan_complete: !isCut,
    observed_count: queue.length,
    observed_count_is_lower_bound: isCut,
    included_count: included,
  };
}

function toRow(row: QueuedPullRequest, rank: number, text: TextView): object {
  const { pull, lane, isAuthorOwned, ageHours, riskHint } = row;
  return {
    rank,
    number: pull.number,
    title: text.show(pull.title),
    state: pull.state.toLowerCase(),
    author: pull.author,
    ...(isAuthorOwned === true ? { author_owned: true } : {}),
    age_hours: ageHours,
    head_oid: pull.headOid,
    changed: `${pull.changedFiles} files +${pull.additions} -${pull.deletions}`,
    risk_hint: riskHint,
    review_decision: pull.reviewDecision,
    why_now: lane,
    review_action: toReviewAction(lane),
  };
}
