import { LoopxError, toEpochMs } from "@loopx/contracts";
import { queuePullRequests, toQueued, toReviewAction, type QueuedPullRequest } from "@loopx/host-commands";
import { printCommand } from "../command-line/print-command.ts";
import { createFixtureSource, createGhSource, type PullRequestSource } from "../github/pull-request-source.ts";
import { findRepositoryName, parseRepositoryName } from "../github/repository-name.ts";
import type { CommandResult } from "../output/command-result.ts";
import { renderTable } from "../output/render-table.ts";
import { joinLines, renderFacts, renderNext } from "../packets/render-facts.ts";
import { createTextView, ROW_TEXT } from "../packets/shown-text.ts";
import { renderDetail } from "../pr-review/review-detail.ts";
import type { ReviewRequest } from "../pr-review/review-frame.ts";
import { renderIndex } from "../pr-review/review-index.ts";
import type { CommandHandler, CommandInput } from "./command-handler.ts";

type Input = CommandInput<"pr-review">;

const TIMEOUT_MS = 30_000;

/** Shows the queue of pull requests, or one of them, and how an agent has to answer. */
export const run: CommandHandler<"pr-review"> = async (input) => {
  const { flags } = input;
  const repository = flags.repo === undefined ? undefined : parseRepositoryName(flags.repo);
  const source = openSource(input);
  return flags.pr === undefined
    ? showIndex(input, source, repository)
    : showDetail(input, source, { number: flags.pr, repository });
};

function openSource({ flags, ambient, onInterrupt }: Input): PullRequestSource {
  if (flags.fixture !== undefined) return createFixtureSource(flags.fixture, ambient);
  return createGhSource({ ambient, timeoutMs: flags.timeout ?? TIMEOUT_MS, onStart: onInterrupt });
}

async function showIndex(
  { flags, ambient }: Input,
  source: PullRequestSource,
  repository: string | undefined,
): Promise<CommandResult> {
  const { state, limit, since } = flags;
  const offset = readOffset(flags.cursor);
  const query = { repository, state, limit, since };
  const [listed, reviewer] = await Promise.all([source.list(query), source.findReviewer()]);
  const at = ambient.now();
  const queue = queuePullRequests(listed.slice(0, limit), reviewer, toEpochMs(at));
  const request: ReviewRequest = {
    repository: repository ?? findRepositoryName(listed[0]?.url ?? ""),
    stateFilter: state,
    limit,
    since,
    source: source.kind,
    reviewer,
    include: ["review_sequence", "agent_response_contract"],
  };
  const repo = request.repository === null ? {} : { repo: request.repository };
  const asked = { state, limit, ...(since === undefined ? {} : { since }) };
  const index = renderIndex({
    request,
    at,
    queue,
    isCut: listed.length > limit,
    offset,
    printIndex: (more) => printCommand("pr-review", { ...asked, ...repo, ...more }).shell,
  });
  return {
    packet: index.packet,
    text: (style) =>
      joinLines(
        style.bold(`${request.repository ?? "this repository"}: ${index.headline}`),
        index.rows.length === 0 ? "" : `\n${renderTable(COLUMNS, index.rows.map(toCells), style)}`,
        renderNext(index.next, style),
      ),
  };
}

function readOffset(cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  if (/^\d{1,4}$/.test(cursor)) return Number(cursor);
  throw new LoopxError("invalid_value", {
    message: "--cursor takes what the page before gave as next_cursor",
    hint: "leave --cursor out to begin with the first page",
    details: { field: "cursor" },
  });
}

const COLUMNS = [
  { title: "PR", align: "right" },
  { title: "WHY NOW" },
  { title: "RISK" },
  { title: "AGE", align: "right" },
  { title: "AUTHOR" },
  { title: "TITLE" },
] as const;

function toCells({ pull, lane, riskHint, ageHours }: QueuedPullRequest): readonly string[] {
  const { show } = createTextView(ROW_TEXT);
  const age = ageHours >= 48 ? `${Math.floor(ageHours / 24)}d` : `${ageHours}h`;
  return [`#${pull.number}`, lane.replaceAll("_", " "), riskHint, age, pull.author ?? "", show(pull.title)];
}

async function showDetail(
  { flags, ambient }: Input,
  source: PullRequestSource,
  wanted: { readonly number: number; readonly repository: string | undefined },
): Promise<CommandResult> {
  const [pull, reviewer] = await Promise.all([source.load(wanted.number, wanted.repository), source.findReviewer()]);
  const at = ambient.now();
  const queued = toQueued(pull, reviewer, toEpochMs(at));
  const request: ReviewRequest = {
    repository: wanted.repository ?? findRepositoryName(pull.url),
    stateFilter: flags.state,
    limit: 1,
    since: undefined,
    source: source.kind,
    reviewer,
    include: ["pull_request", "agent_response_contract", "review_execution_contract"],
  };
  const detail = renderDetail({ request, at, pull, queued });
  const { show } = createTextView(ROW_TEXT);
  const count = (result: string): number => pull.checks.filter((check) => check.result === result).length;
  return {
    packet: detail.packet,
    text: (style) =>
      joinLines(
        style.bold(`#${pull.number} ${show(pull.title)}`),
        "",
        renderFacts(
          [
            ["state", `${pull.state.toLowerCase()}${pull.isDraft ? ", a draft" : ""}, by ${pull.author ?? "nobody"}`],
            ["review", `${toReviewAction(queued.lane).replaceAll("_", " ")}: ${queued.lane.replaceAll("_", " ")}`],
            ["head", pull.headOid],
            [
              "changed",
              `${pull.changedFiles} files, +${pull.additions} -${pull.deletions}, ${queued.riskHint} risk by size`,
            ],
            ["checks", `${count("passed")} passed, ${count("failed")} failed, ${count("pending")} pending`],
          ],
          style,
        ),
        renderNext(detail.evidenceCommands, style, "evidence; a verdict counts for this head only"),
      ),
  };
}
