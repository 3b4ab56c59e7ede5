import { resolve } from "node:path";
import { isLoopxError, LoopxError, type Ambient, type Instant } from "@loopx/contracts";
import {
  DETAIL_FIELDS,
  LIST_FIELDS,
  parsePullRequest,
  parsePullRequestDetail,
  type PullRequest,
  type PullRequestDetail,
} from "@loopx/host-commands";
import { readNamedFile } from "../project/regular-file.ts";
import { runGh, type GhRun } from "./run-gh.ts";

export type StateFilter = "open" | "merged" | "all";

export interface ListQuery {
  readonly repository: string | undefined;
  readonly state: StateFilter;
  readonly limit: number;
  /** Only what changed since. */
  readonly since: Instant | undefined;
}

/** Pull requests, and who asks; null where that could not be found out. */
export interface PullRequestSource {
  readonly kind: "github_cli" | "fixture";
  /** Up to one more than the limit: then there are more. */
  readonly list: (query: ListQuery) => Promise<readonly PullRequest[]>;
  readonly load: (number: number, repository: string | undefined) => Promise<PullRequestDetail>;
  readonly findReviewer: () => Promise<string | null>;
}

/** Reads through `gh`: one request for a list, one for a pull request, one for the login. */
export function createGhSource(run: GhRun): PullRequestSource {
  return {
    kind: "github_cli",
    list: async ({ repository, state, limit, since }) => {
      const search =
        since === undefined ? [] : ["--search", `updated:>=${since.replace(/\.\d+Z$/, "Z")} sort:updated-desc`];
      const words = ["pr", "list", "--state", state, "--limit", String(limit + 1), "--json", LIST_FIELDS.join(",")];
      return parseList(await runGh([...words, ...search, ...inRepository(repository)], run));
    },
    load: async (number, repository) => {
      const words = ["pr", "view", String(number), "--json", DETAIL_FIELDS.join(",")];
      const pull = parsePullRequestDetail(parseOutput(await runGh([...words, ...inRepository(repository)], run)));
      if (pull?.number !== number) throw toInvalidOutputError();
      return pull;
    },
    findReviewer: async () => {
      try {
        const login = (await runGh(["api", "user", "--jq", ".login"], run)).trim();
        return /^[A-Za-z0-9_[\]-]{1,100}$/.test(login) ? login : null;
      } catch (error) {
        // Who reviews is good to know; the list is what was asked for, and says by itself what is wrong with gh.
        if (isLoopxError(error)) return null;
        throw error;
      }
    },
  };
}

function inRepository(repository: string | undefined): readonly string[] {
  return repository === undefined ? [] : ["--repo", repository];
}

function parseList(text: string): readonly PullRequest[] {
  const entries = parseOutput(text);
  if (!Array.isArray(entries)) throw toInvalidOutputError();
  return entries.map((entry) => {
    const pull = parsePullRequest(entry);
    if (pull === undefined) throw toInvalidOutputError();
    return pull;
  });
}

function parseOutput(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw toInvalidOutputError(cause);
  }
}

function toInvalidOutputError(cause?: unknown): LoopxError {
  return new LoopxError("gh_output_invalid", {
    message: "what gh wrote is cut off or not what it promises",
    hint: "run the command again; if that does not help, update gh",
    ...(cause === undefined ? {} : { cause }),
  });
}

const FIXTURE_MAX_BYTES = 4 * 1024 * 1024;
const FIXTURE_HINT = 'a fixture is what `gh pr list --json` writes, or {"viewer": LOGIN, "pull_requests": […]}';

/** Reads from a file instead of GitHub. Refuses with `file_not_readable`, `invalid_value`, `unknown_pull_request`. */
export function createFixtureSource(path: string, ambient: Pick<Ambient, "cwd">): PullRequestSource {
  const named = { path: resolve(ambient.cwd, path), field: "fixture", maxBytes: FIXTURE_MAX_BYTES, hint: FIXTURE_HINT };
  const fixture = parseFixture(readNamedFile(named).toString("utf8"));
  return {
    kind: "fixture",
    list: async ({ state, limit, since }) =>
      fixture.pulls
        .filter((pull) => state === "all" || pull.state === state.toUpperCase())
        .filter((pull) => since === undefined || pull.updatedAt >= since)
        .slice(0, limit + 1),
    load: async (number) => {
      const pull = fixture.pulls.find((each) => each.number === number);
      if (pull !== undefined) return pull;
      throw new LoopxError("unknown_pull_request", {
        message: "the fixture has no pull request of this number",
        hint: "name one that it lists: leave out --pr to see them",
      });
    },
    findReviewer: async () => fixture.viewer,
  };
}

function parseFixture(text: string): { readonly pulls: readonly PullRequestDetail[]; readonly viewer: string | null } {
  const document = parseFixtureJson(text);
  const record = typeof document === "object" && document !== null ? (document as Record<string, unknown>) : {};
  const entries = Array.isArray(document) ? document : record["pull_requests"];
  if (!Array.isArray(entries)) throw toFixtureError("holds no list of pull requests");
  const pulls = entries.map((entry, index) => {
    const pull = parsePullRequestDetail(entry);
    if (pull === undefined) throw toFixtureError(`entry ${index} is no pull request`);
    return pull;
  });
  return { pulls, viewer: typeof record["viewer"] === "string" ? record["viewer"] : null };
}

function parseFixtureJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw toFixtureError("is not JSON");
  }
}

function toFixtureError(what: string): LoopxError {
  return new LoopxError("invalid_value", {
    message: `the file named with --fixture ${what}`,
    hint: FIXTURE_HINT,
    details: { field: "fixture" },
  });
}
