import { LIMITS } from "@loopx/contracts";
import type { CommandRecord } from "./command-spec.ts";
import { CURSOR } from "./shared-flags.ts";

/** What people propose. */
export const REVIEW_COMMANDS = {
  "pr-review": {
    summary: "Show the pull requests to review, or one of them with what a review needs",
    details:
      "Reads GitHub through gh and writes nothing, neither there nor here. Its answer says how a review has to look; a list " +
      "alone is none.",
    authority: "read",
    flags: {
      repo: { type: "text", placeholder: "OWNER/REPO", describe: "repository, instead of the one you stand in" },
      pr: { type: "integer", placeholder: "NUMBER", describe: "one pull request in detail", min: 1 },
      state: {
        type: "choice",
        placeholder: "STATE",
        describe: "which to list",
        choices: ["open", "merged", "all"],
        default: "all",
      },
      limit: {
        type: "integer",
        placeholder: "COUNT",
        describe: "pull requests asked of GitHub, the latest first",
        min: 1,
        max: 1000,
        default: 100,
      },
      since: { type: "instant", placeholder: "TIME", describe: "only those that changed since" },
      cursor: CURSOR,
      fixture: { type: "path", placeholder: "FILE", describe: "read what gh wrote before from this file, not GitHub" },
      timeout: {
        type: "duration",
        placeholder: "DURATION",
        describe: "how long gh may take; 30s by default",
        minMs: 1_000,
        maxMs: 300_000,
      },
    },
    examples: [
      "loopx pr-review",
      "loopx pr-review --repo cli/cli --state open --limit 30",
      "loopx pr-review --pr 1234",
    ],
    budgetBytes: LIMITS.packetMaxBytes.pr_review_index,
  },
} as const satisfies CommandRecord;
