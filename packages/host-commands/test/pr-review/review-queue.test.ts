import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  parsePullRequest,
  parsePullRequestDetail,
  queuePullRequests,
  toArea,
  toQueued,
  type PullRequest,
} from "../../src/index.ts";

const NOW = Date.parse("2026-03-04T12:00:00Z");

const OPEN: PullRequest = {
  number: 1,
  title: "Mend the cart",
  url: "https://github.com/acme/shop/pull/1",
  state: "OPEN",
  author: "somebody",
  createdAt: "2026-03-04T10:00:00Z",
  updatedAt: "2026-03-04T10:00:00Z",
  mergedAt: null,
  baseRef: "main",
  headRef: "cart",
  headOid: "0".repeat(40),
  isDraft: false,
  reviewDecision: null,
  additions: 1,
  deletions: 1,
  changedFiles: 1,
};

function riskOf(more: Partial<PullRequest>): string {
  return toQueued({ ...OPEN, ...more }, null, NOW).riskHint;
}

describe("the place of a pull request in the queue", () => {
  test.each([
    { name: "two days old, somebody else's", pull: { createdAt: "2026-03-02T12:00:00Z" }, lane: "waiting_long" },
    { name: "a day old", pull: { createdAt: "2026-03-03T12:00:00Z" }, lane: "waiting" },
    { name: "of today", pull: {}, lane: "fresh" },
    { name: "the reviewer's own, in another spelling", pull: { author: "ME" }, lane: "author_owned" },
    { name: "approved", pull: { reviewDecision: "APPROVED" }, lane: "decided" },
    { name: "sent back", pull: { reviewDecision: "CHANGES_REQUESTED" }, lane: "decided" },
    { name: "a draft", pull: { isDraft: true }, lane: "draft" },
    { name: "merged as a draft", pull: { isDraft: true, state: "MERGED" }, lane: "merged" },
    { name: "closed", pull: { state: "CLOSED" }, lane: "closed" },
  ] as const)("of one that is $name: $lane", ({ pull, lane }) => {
    expect(toQueued({ ...OPEN, ...pull }, "me", NOW).lane).toBe(lane);
  });

  test("is nobody's own where the reviewer is unknown", () => {
    expect(toQueued(OPEN, null, NOW).isAuthorOwned).toBeNull();
  });

  test("is a high risk by size: twelve files, or eight hundred lines", () => {
    expect([riskOf({}), riskOf({ changedFiles: 5 }), riskOf({ changedFiles: 12 })]).toEqual(["low", "medium", "high"]);
    expect([riskOf({ additions: 199 }), riskOf({ additions: 400, deletions: 400 })]).toEqual(["medium", "high"]);
  });

  test("does not depend on the order they come in, and none is lost", () => {
    const pulls = fc.uniqueArray(
      fc.record({
        number: fc.integer({ min: 1, max: 500 }),
        state: fc.constantFrom("OPEN" as const, "MERGED" as const, "CLOSED" as const),
        isDraft: fc.boolean(),
        hours: fc.nat({ max: 90 }),
      }),
      { selector: (one) => one.number, maxLength: 30 },
    );
    fc.assert(
      fc.property(pulls, (some) => {
        const list = some.map(({ hours, ...more }) => ({
          ...OPEN,
          ...more,
          createdAt: new Date(NOW - hours * 3_600_000).toISOString(),
        }));
        const queue = queuePullRequests(list, null, NOW);
        expect(queuePullRequests(list.toReversed(), null, NOW)).toEqual(queue);
        expect(new Set(queue.map(({ pull }) => pull.number))).toEqual(new Set(list.map(({ number }) => number)));
        expect(queue).toHaveLength(list.length);
      }),
    );
  });
});

describe("reading what gh wrote", () => {
  test("takes nothing for a pull request that lacks what every one has", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(parsePullRequest(value)).toBeUndefined();
      }),
    );
  });

  test("takes a check that is neither passed nor failed for pending, never for passed", () => {
    const entry = {
      number: 1,
      title: "t",
      url: "u",
      state: "OPEN",
      createdAt: OPEN.createdAt,
      updatedAt: OPEN.updatedAt,
      headRefOid: OPEN.headOid,
      statusCheckRollup: [
        { name: "a", conclusion: "SUCCESS" },
        { name: "b", conclusion: "", status: "QUEUED" },
        { name: "c", conclusion: "SOMETHING_NEW" },
        { context: "d", state: "ERROR" },
        { name: "e", conclusion: "SKIPPED" },
      ],
    };
    const results = parsePullRequestDetail(entry)?.checks.map((check) => check.result);
    expect(results).toEqual(["passed", "pending", "pending", "failed", "skipped"]);
  });

  test("tells the area of a path by its name", () => {
    const paths = ["src/cart.ts", "src/cart.test.ts", "docs/cart.md", ".github/workflows/ci.yml", "package-lock.json"];
    expect(paths.map(toArea)).toEqual(["code", "tests", "docs", "build_and_ci", "generated"]);
  });
});
