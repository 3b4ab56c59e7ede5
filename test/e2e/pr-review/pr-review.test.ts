import { LIMITS } from "@loopx/contracts";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { findRefusedCommands, listPrintedCommands } from "../../support/printed-commands.ts";
import { readField, readText } from "../../support/read-field.ts";
import type { ProgramResult } from "../../support/run-program.ts";
import { verifies } from "../../support/verifies.ts";
import { ask, codeOf, connectProject, hashTree, read } from "../environment/machine.ts";
import { createGitHubWorld, hoursAgo, pull, type GitHubWorld } from "./github-world.ts";

const CJK = "漢字の題名".repeat(200);

async function review(world: GitHubWorld, words: readonly string[] = [], scenario?: string): Promise<ProgramResult> {
  return ask(world, ["pr-review", ...words], { env: world.gh(scenario) });
}

/** An answer that must succeed, with what holds for every one of them. */
async function reviewOk(world: GitHubWorld, words: readonly string[] = [], scenario?: string): Promise<unknown> {
  const { json, exitCode, stdout } = await review(world, words, scenario);
  expect(exitCode, stdout).toBe(0);
  expect(findRefusedCommands(json)).toEqual([]);
  expect(readField(json, "boundary")).toMatchObject({
    absolute_paths_recorded: false,
    credential_values_recorded: false,
    project_state_changed: false,
  });
  return json;
}

function bytesOf(packet: unknown): number {
  return Buffer.byteLength(JSON.stringify(packet));
}

function numbersOf(packet: unknown): readonly unknown[] {
  return (readField(packet, "review_sequence") as readonly unknown[]).map((row) => readField(row, "number"));
}

describe("the index of pull requests", () => {
  test("orders what others wait for longest first, and asks GitHub for one list", async () => {
    verifies("pr-review.cli-first", "fallback.pr-review");
    const world = createGitHubWorld([
      pull(1, { state: "MERGED", mergedAt: hoursAgo(1) }),
      pull(2, { isDraft: true }),
      pull(3, { createdAt: hoursAgo(30) }),
      pull(4, { createdAt: hoursAgo(100) }),
      pull(5, { author: { login: "reviewer-1" } }),
      pull(6, { createdAt: hoursAgo(2) }),
      pull(7, { reviewDecision: "APPROVED" }),
      pull(8, { state: "CLOSED" }),
    ]);
    const packet = await reviewOk(world);
    expect(numbersOf(packet)).toEqual([4, 3, 5, 6, 7, 1, 2, 8]);
    expect(readField(packet, "summary")).toMatchObject({
      total_pr_count: 8,
      open_pr_count: 6,
      open_review_attention_count: 3,
      draft_count: 1,
      recommended_first_pr: 4,
    });
    expect(readField(packet, "result_completeness")).toMatchObject({ complete: true, truncated: false });
    expect(readField(packet, "request")).toMatchObject({ repository: "acme/shop", reviewer_login: "Reviewer-1" });
    expect(world.calls().filter(([first]) => first === "pr")).toHaveLength(1);
    expect(world.calls()).toHaveLength(2);
  });

  test("says how an answer has to look: five sections, an exact head, no list alone, nothing written", async () => {
    const world = createGitHubWorld([pull(1)]);
    const contract = readField(await reviewOk(world), "agent_response_contract");
    expect(contract).toMatchObject({
      table_only_response_allowed: false,
      queue_table_role: "preface_only",
      completion_gate: { metadata_only_verdict_allowed: false, stale_head_allowed: false },
    });
    const sections = readField(contract, "required_final_sections") as readonly unknown[];
    expect(sections.map((section) => readField(section, "maps_to"))).toEqual([
      "动机",
      "改动思路",
      "具体改动",
      "对主干的风险",
      "我的整体评价",
    ]);
  });

  test("of a hundred with the longest titles is paged within its bytes, each of them once", async () => {
    const world = createGitHubWorld(Array.from({ length: 100 }, (_, at) => pull(at + 1, { title: CJK })));
    const numbers: unknown[] = [];
    for (let cursor: string | undefined; ;) {
      const packet = await reviewOk(world, cursor === undefined ? [] : [`--cursor=${cursor}`]);
      expect(bytesOf(packet)).toBeLessThanOrEqual(LIMITS.packetMaxBytes.pr_review_index);
      numbers.push(...numbersOf(packet));
      if (readField(packet, "next_cursor") === undefined) break;
      cursor = readText(packet, "next_cursor");
    }
    expect(numbers).toHaveLength(100);
    expect(new Set(numbers).size).toBe(100);
  });

  test("says that there are more than were asked for, and how to ask for them", async () => {
    const world = createGitHubWorld(Array.from({ length: 9 }, (_, at) => pull(at + 1)));
    const packet = await reviewOk(world, ["--limit=5"]);
    expect(numbersOf(packet)).toHaveLength(5);
    expect(readField(packet, "result_completeness")).toMatchObject({
      complete: false,
      truncated: true,
      observed_count_is_lower_bound: true,
    });
    expect(readField(packet, "next", 1)).toBe("loopx pr-review --repo=acme/shop --state=all --limit=10");
  });

  test("without a known reviewer calls nobody the author, and is answered all the same", async () => {
    const packet = await reviewOk(createGitHubWorld([pull(1, { author: { login: "reviewer-1" } })]), [], "no-user");
    expect(readField(packet, "request", "reviewer_login")).toBeNull();
    expect(readField(packet, "review_sequence", 0)).not.toHaveProperty("author_owned");
  });

  test("of a repository without any is empty, and no failure", async () => {
    const packet = await reviewOk(createGitHubWorld([]), ["--repo=acme/shop"]);
    expect(readField(packet, "review_sequence")).toEqual([]);
    expect(readField(packet, "summary", "recommended_first_pr")).toBeNull();
  });

  test("names its repository in every command it prints, and asks gh for that one only", async () => {
    const world = createGitHubWorld([pull(1, { url: "https://git.acme.example/acme/shop/pull/1" })]);
    for (const words of [["--repo=acme/shop"], ["--repo=acme/shop", "--pr=1"], [], ["--pr=1"]]) {
      const packet = await reviewOk(world, words);
      const wanted =
        words.length > 0 && words[0] !== "--pr=1" ? "--repo=acme/shop" : "--repo=git.acme.example/acme/shop";
      const evidence = (readField(packet, "evidence_commands") ?? []) as readonly string[];
      for (const command of [...listPrintedCommands(packet), ...evidence]) expect(command).toContain(wanted);
    }
    const named = world.calls().filter((call) => call.includes("--repo"));
    expect(named.map((call) => call[call.indexOf("--repo") + 1])).toEqual(["acme/shop", "acme/shop"]);
  });

  test("passes a time on to GitHub's own search", async () => {
    const world = createGitHubWorld([pull(1)]);
    await reviewOk(world, ["--since=2026-11-01T00:00:00Z", "--state=open"]);
    const call = world.calls().find(([first]) => first === "pr") ?? [];
    expect(call[call.indexOf("--search") + 1]).toBe("updated:>=2026-11-01T00:00:00Z sort:updated-desc");
    expect(call[call.indexOf("--state") + 1]).toBe("open");
  });
});

function many<Row>(row: (at: number) => Row): readonly Row[] {
  return Array.from({ length: 300 }, (_, at) => row(at));
}

describe("one pull request", () => {
  test("comes with its evidence, its checks and the head that a verdict is about", async () => {
    const checks = [
      { __typename: "CheckRun", name: "unit", conclusion: "FAILURE", status: "COMPLETED" },
      { __typename: "CheckRun", name: "e2e", conclusion: "", status: "IN_PROGRESS" },
      { __typename: "StatusContext", context: "license", state: "SUCCESS" },
    ];
    const world = createGitHubWorld([pull(7, { statusCheckRollup: checks })]);
    const packet = await reviewOk(world, ["--pr=7"]);
    const head = (7).toString(16).padStart(40, "0");
    expect(readField(packet, "pull_request")).toMatchObject({
      number: 7,
      head_oid: head,
      areas: { code: 1 },
      checks: { total: 3, passed: 1, failed: 1, pending: 1, failures: ["unit"], still_pending: ["e2e"] },
    });
    const recheck = "gh pr view 7 --json=headRefOid --jq=.headRefOid --repo=acme/shop";
    expect(readField(packet, "head_rule")).toMatchObject({
      head_oid: head,
      must_print: head,
      recheck_command: recheck,
    });
    expect(readField(packet, "evidence_commands")).toContain(recheck);
    expect(readField(packet, "review_execution_contract", "always")).toHaveLength(7);
  });

  test("stays within its bytes whatever is in it, and says what it left out", async () => {
    const world = createGitHubWorld([
      pull(9, {
        title: CJK,
        body: CJK,
        headRefName: CJK,
        files: many((at) => ({ path: `${CJK}/${at}.ts`, additions: at, deletions: 1 })),
        commits: many(() => ({ messageHeadline: CJK })),
        reviews: many(() => ({ author: { login: "x".repeat(39) }, state: "CHANGES_REQUESTED" })),
        statusCheckRollup: many((at) => ({ name: `${CJK} ${at}`, conclusion: "FAILURE" })),
        changedFiles: 300,
      }),
    ]);
    const packet = await reviewOk(world, ["--pr=9"]);
    expect(bytesOf(packet)).toBeLessThanOrEqual(LIMITS.packetMaxBytes.pr_review_one);
    expect(readField(packet, "pull_request", "risk_hint")).toBe("high");
    expect(JSON.stringify(readField(packet, "omissions"))).toMatch(/29\d files.*29\d commits.*rest of the body/);
  });

  test("shows neither a path nor a credential that somebody wrote into it", async () => {
    const token = `ghp_${"a1B2".repeat(9)}`;
    const world = createGitHubWorld([
      pull(1, {
        title: `Use ${token}`,
        body: "See /home/alice/notes.txt",
        commits: [{ messageHeadline: `Add ${token}` }],
      }),
    ]);
    for (const words of [[], ["--pr=1"]]) {
      const packet = await reviewOk(world, words);
      expect(JSON.stringify(packet)).not.toMatch(/ghp_a1B2|alice/);
      expect(readField(packet, "boundary", "masked_credential_count")).toBeGreaterThan(0);
    }
    expect(await read(world, ["pr-review"], { env: world.gh() })).not.toContain("ghp_a1B2");
  });
});

describe("gh that does not answer", () => {
  test("because it is not there is one clear refusal", async () => {
    const world = createGitHubWorld([]);
    const empty = join(world.directory, "empty");
    mkdirSync(empty);
    const refused = await ask(world, ["pr-review"], { env: { PATH: empty } });
    expect({ code: codeOf(refused), exitCode: refused.exitCode }).toEqual({ code: "gh_missing", exitCode: 6 });
  });

  test.each([
    { scenario: "logged-out", code: "gh_not_logged_in", exitCode: 6, retry: false },
    { scenario: "bad-token", code: "gh_not_logged_in", exitCode: 6, retry: false },
    { scenario: "rate-limited", code: "gh_rate_limited", exitCode: 6, retry: true },
    { scenario: "no-repository", code: "unknown_repository", exitCode: 4, retry: false },
    { scenario: "unknown-repository", code: "unknown_repository", exitCode: 4, retry: false },
    { scenario: "server-error", code: "gh_failed", exitCode: 6, retry: false },
    { scenario: "cut-off", code: "gh_output_invalid", exitCode: 6, retry: true },
  ])("$scenario is $code, in list and detail, without a word of what gh said", async ({ scenario, ...wanted }) => {
    const world = createGitHubWorld([pull(1)]);
    for (const words of [[], ["--pr=1"]]) {
      const refused = await review(world, words, scenario);
      const retry = readField(refused.json, "error", "retry");
      expect({ code: codeOf(refused), exitCode: refused.exitCode, retry }).toEqual(wanted);
      expect(readField(refused.json, "error", "hint")).toBeTypeOf("string");
      expect(refused.stdout).not.toMatch(/secret-place|ghp_|4215|graphql/i);
    }
  });

  test("in time is ended with all it started, and said to be slow", async () => {
    const world = createGitHubWorld([pull(1)]);
    const refused = await review(world, ["--timeout=1s"], "slow");
    expect({ code: codeOf(refused), exitCode: refused.exitCode }).toEqual({ code: "gh_timeout", exitCode: 6 });
    expect(readField(refused.json, "error", "message")).toBe("gh did not answer within 1 s and was ended");
    expect(() => process.kill(world.slowPid(), 0)).toThrowError("ESRCH");
  });

  test("for a number that is no pull request says so", async () => {
    const refused = await review(createGitHubWorld([pull(1)]), ["--pr=99"]);
    expect({ code: codeOf(refused), exitCode: refused.exitCode }).toEqual({
      code: "unknown_pull_request",
      exitCode: 4,
    });
  });
});

describe("a fixture", () => {
  test("stands for GitHub, and gh is not called", async () => {
    const world = createGitHubWorld([]);
    const file = join(world.directory, "fixture.json");
    writeFileSync(
      file,
      JSON.stringify({ viewer: "me", pull_requests: [pull(1), pull(2, { author: { login: "ME" } })] }),
    );
    const packet = await reviewOk(world, [`--fixture=${file}`, "--state=open"]);
    expect(numbersOf(packet)).toEqual([1, 2]);
    expect(readField(packet, "request")).toMatchObject({ source: "fixture", reviewer_login: "me" });
    expect(readField(packet, "review_sequence", 1, "author_owned")).toBe(true);
    expect(readField(await reviewOk(world, [`--fixture=${file}`, "--pr=2"]), "pull_request", "number")).toBe(2);
    expect(world.calls()).toEqual([]);
  });

  test("that is missing, no JSON or no list is refused without its path", async () => {
    const world = createGitHubWorld([]);
    const file = join(world.directory, "fixture.json");
    expect(codeOf(await review(world, [`--fixture=${file}`]))).toBe("file_not_readable");
    for (const text of ["{", "{}", "[1]", '[{"number":1}]']) {
      writeFileSync(file, text);
      expect(codeOf(await review(world, [`--fixture=${file}`]))).toBe("invalid_value");
    }
  });
});

describe("a review", () => {
  test("changes no project state", async () => {
    verifies("pr-review.no-project-state");
    const world = createGitHubWorld([pull(1)]);
    await connectProject(world);
    const before = [hashTree(world.project), hashTree(world.home)];
    await reviewOk(world);
    await reviewOk(world, ["--pr=1"]);
    expect([hashTree(world.project), hashTree(world.home)]).toEqual(before);
  });

  test("refuses a repository that is none, a closed state and a made-up cursor before gh is called", async () => {
    const world = createGitHubWorld([]);
    for (const words of [
      ["--repo=shop"],
      ["--repo=--help/x"],
      ["--repo=a/b/c/d"],
      ["--state=closed"],
      ["--cursor=x"],
      ["--pr=0"],
    ]) {
      expect((await review(world, words)).exitCode, words.join(" ")).toBe(2);
    }
    expect(world.calls()).toEqual([]);
  });
});
