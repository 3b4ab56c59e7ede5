import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decideNext, type Decision } from "../../src/index.ts";
import { decisionCase } from "./decision-case-arbitrary.ts";
import { DECISION_PROPERTIES } from "./decision-properties.ts";

const SETTINGS = { numRuns: 20_000, seed: 20_260_301 };
const cases = fc.sample(decisionCase, SETTINGS);

describe("decideNext, for any facts and clock", () => {
  for (const [name, holds] of Object.entries(DECISION_PROPERTIES)) {
    test(name, () => {
      if (cases.every((given) => holds(decideNext, given))) return;
      // Drawn again for its shrunk counterexample.
      fc.assert(
        fc.property(decisionCase, (given) => holds(decideNext, given)),
        SETTINGS,
      );
      expect.unreachable("the second drawing differs from the first");
    });
  }
});

test("the generated facts give each answer in at least 2 % of the runs", () => {
  const counts = new Map<Decision["kind"], number>();
  for (const { facts, now } of cases) {
    const { kind } = decideNext(facts, now).decision;
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  const answers = ["run", "ask_user", "wait", "replan", "repair", "throttled", "paused", "done"] as const;
  const rare = answers.filter((answer) => (counts.get(answer) ?? 0) < cases.length * 0.02);
  expect(rare, JSON.stringify(Object.fromEntries(counts))).toEqual([]);
});
