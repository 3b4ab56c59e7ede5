import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { World } from "../../support/cli-world.ts";
import { createMachine } from "../environment/machine.ts";

const FAKE_GH = fileURLToPath(new URL("../../support/fixtures/gh-that-answers.mjs", import.meta.url));

/** A world with a `gh` of its own on the PATH. */
export interface GitHubWorld extends World {
  /** The environment that makes gh answer like that. */
  readonly gh: (scenario?: string) => Readonly<Record<string, string>>;
  /** The words of each call of gh so far. */
  readonly calls: () => readonly (readonly string[])[];
  /** The process of the call that did not answer. */
  readonly slowPid: () => number;
}

export function createGitHubWorld(pulls: readonly object[]): GitHubWorld {
  const world = createMachine();
  const bin = join(world.directory, "bin");
  const [pullsFile, callsFile] = [join(world.directory, "pulls.json"), join(world.directory, "calls.txt")];
  mkdirSync(bin);
  writeFileSync(join(bin, "gh"), `#!/bin/sh\nexec '${process.execPath}' '${FAKE_GH}' "$@"\n`);
  chmodSync(join(bin, "gh"), 0o755);
  writeFileSync(pullsFile, JSON.stringify(pulls));
  return {
    ...world,
    gh: (scenario = "") => ({
      PATH: `${bin}:${world.env["PATH"] ?? ""}`,
      GH_SCENARIO: scenario,
      GH_PULLS: pullsFile,
      GH_CALLS: callsFile,
    }),
    calls: () =>
      existsSync(callsFile)
        ? readFileSync(callsFile, "utf8")
            .trimEnd()
            .split("\n")
            .map((line): readonly string[] => JSON.parse(line))
        : [],
    slowPid: () => Number(readFileSync(`${callsFile}.pid`, "utf8")),
  };
}

const HOUR_MS = 3_600_000;

/** A pull request in gh's own JSON form, open, by somebody else, three days old. */
export function pull(number: number, more: Readonly<Record<string, unknown>> = {}): object {
  const at = new Date(Date.now() - 72 * HOUR_MS).toISOString();
  return {
    number,
    title: `Change number ${number}`,
    url: `https://github.com/acme/shop/pull/${number}`,
    state: "OPEN",
    author: { login: "somebody" },
    createdAt: at,
    updatedAt: at,
    closedAt: null,
    mergedAt: null,
    baseRefName: "main",
    headRefName: `branch-${number}`,
    headRefOid: number.toString(16).padStart(40, "0"),
    isDraft: false,
    reviewDecision: "REVIEW_REQUIRED",
    additions: 10,
    deletions: 2,
    changedFiles: 1,
    body: "Because of a fault.",
    mergeStateStatus: "CLEAN",
    mergeCommit: null,
    files: [{ path: "src/cart.ts", additions: 10, deletions: 2 }],
    commits: [{ messageHeadline: "Mend the cart" }],
    reviews: [],
    statusCheckRollup: [{ __typename: "CheckRun", name: "test", conclusion: "SUCCESS", status: "COMPLETED" }],
    ...more,
  };
}

export function hoursAgo(hours: number): string {
  return new Date(Date.now() - hours * HOUR_MS).toISOString();
}
