import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { buildMutant } from "./build-mutant.ts";
import { decisionCase } from "./decision-case-arbitrary.ts";
import { DECISION_MUTANTS } from "./decision-mutants.ts";
import { DECISION_PROPERTIES, type DecisionProperty } from "./decision-properties.ts";

const cases = fc.sample(decisionCase, { numRuns: 20_000, seed: 20_260_301 });

describe("a guard taken out of the decision turns its property red", () => {
  test("at least a dozen of them", () => expect(DECISION_MUTANTS.length).toBeGreaterThanOrEqual(12));

  for (const [index, mutant] of DECISION_MUTANTS.entries()) {
    test(`without ${mutant.without}`, async () => {
      const decide = await buildMutant(mutant, `mutant-${index}`);
      const holds: DecisionProperty = DECISION_PROPERTIES[mutant.turnsRed];
      expect(cases.some((given) => !holds(decide, given))).toBe(true);
    });
  }
});

test("the same source bundled whole holds every property", async () => {
  const same = "function decideByGoal";
  const whole = { without: "nothing", file: "decision/decide-next.ts", find: `${same}(`, replace: `${same}(` } as const;
  const decide = await buildMutant({ ...whole, turnsRed: "a blocked todo never runs" }, "mutant-none");
  const red = Object.entries(DECISION_PROPERTIES).filter(([, holds]) => !cases.every((given) => holds(decide, given)));
  expect(red.map(([name]) => name)).toEqual([]);
});

test("a guard whose text is gone from the source is reported, not passed over", async () => {
  const gone = { without: "x", file: "decision/decide-next.ts", find: "no such text", replace: "" } as const;
  const building = buildMutant({ ...gone, turnsRed: "a blocked todo never runs" }, "mutant-gone");
  await expect(building).rejects.toThrow("decision/decide-next.ts holds 0 times: no such text");
});
