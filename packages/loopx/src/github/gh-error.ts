import { LoopxError } from "@loopx/contracts";

/** gh's exit code for "authentication required" (`gh help exit-codes`). */
const NEEDS_LOGIN = 4;

/** What gh says of its own failures, as its users report it; the first that fits counts. */
const FAULTS = [
  {
    says: /API rate limit|secondary rate limit|HTTP 429/i,
    code: "gh_rate_limited",
    message: "GitHub answers no more requests of this login for now",
    hint: "see when that ends: gh api rate_limit",
  },
  {
    says: /gh auth login|authentication token|HTTP 401|Bad credentials/i,
    code: "gh_not_logged_in",
    message: "gh has no valid login for GitHub",
    hint: "log in, then run the command again: gh auth login",
  },
  {
    says: /Could not resolve to a PullRequest|no pull requests found/i,
    code: "unknown_pull_request",
    message: "the repository has no pull request of this number",
    hint: "loopx pr-review",
  },
  {
    says: /Could not resolve to a Repository|not a git repository|no git remotes|none of the git remotes/i,
    code: "unknown_repository",
    message: "gh finds no GitHub repository here or of this name",
    hint: "name one with --repo=OWNER/REPO",
  },
] as const;

/** The failure that gh reports by its exit code and its words. The words themselves are never repeated. */
export function toGhError(exitCode: number | null, talk: string): LoopxError {
  const fault = exitCode === NEEDS_LOGIN ? FAULTS[1] : FAULTS.find(({ says }) => says.test(talk));
  if (fault !== undefined) {
    const { code, message, hint } = fault;
    return new LoopxError(code, { message, hint });
  }
  return new LoopxError("gh_failed", {
    message: exitCode === null ? "gh was ended by a signal" : `gh ended with exit code ${exitCode}`,
    hint: "see what it says: gh pr list",
    details: { exit_code: exitCode },
  });
}
