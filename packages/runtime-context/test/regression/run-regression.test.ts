import { describe, expect, test } from "vitest";
import type { TestChange } from "../../src/regression/compare-test.ts";
import { runRegression, type RegressionReport } from "../../src/regression/run-regression.ts";
import { splitText } from "../../src/regression/split-text.ts";
import { selectTests } from "../../src/suite/run-suite.ts";
import { buildOf, createSuite, evaluateFirst, PROJECT, testOf } from "../suite/suite-desk.ts";

/** The tests, on the desk and on the desk as it is after `change`. */
async function regress(tests: readonly unknown[], change: (document: any) => void): Promise<RegressionReport> {
  const project = await createSuite(tests);
  const changed = structuredClone(PROJECT);
  change(changed);
  const candidate = buildOf(await createSuite([], changed));
  return runRegression({ baseline: buildOf(project), candidate, tests: selectTests(project, []), live: null });
}

async function changeOf(written: unknown, change: (document: any) => void): Promise<TestChange> {
  const [first] = (await regress([written], change)).tests;
  if (first === undefined) throw new Error("no test");
  return first;
}

const DEGRADED = testOf([{ outcome: "DEGRADED" }]);

describe("a candidate", () => {
  test("that is the same build changes nothing", async () => {
    expect(await regress([DEGRADED, testOf([], { id: "two" })], () => {})).toMatchObject({
      verdict: "UNCHANGED",
      evaluation: { providers: "FIXTURE", determinism: "DETERMINISTIC" },
      counts: { UNCHANGED: 2, CHANGED: 0 },
      differences: [],
    });
  });

  test("with another text changes that layer's part of the text, and says which change it is", async () => {
    const changed = await changeOf(DEGRADED, (document) => (document.layers[0].bindings[0].text = "Be kind.\n"));
    expect(changed).toMatchObject({
      status: "CHANGED",
      turn: [],
      unknowns: null,
      layers: [
        {
          layer: "rules",
          fields: [],
          text: { removed: ["Be brief."], added: ["Be kind."] },
          because: ['layer rules changed: bindings.0.text from "Be brief.\\n" to "Be kind.\\n"'],
        },
      ],
    });
    expect(changed.layers).toHaveLength(1);
  });

  test("that takes no current facts any longer blocks, and every layer says why it is gone", async () => {
    const changed = await changeOf(DEGRADED, (document) => (document.profiles[0].layers[1].accept = ["STALE"]));
    expect(changed).toMatchObject({
      status: "REGRESSED",
      verdicts: ["PASSED", "FAILED"],
      turn: [{ field: "outcome", before: "DEGRADED", after: "BLOCKED" }],
      failures: [{ expected: "outcome DEGRADED" }],
      layers: [
        {
          layer: "rules",
          fields: [
            { field: "selected", before: "true", after: "false" },
            { field: "not_selected_because", before: "none", after: "TURN_BLOCKED" },
          ],
          because: [expect.stringMatching(/^the turn is BLOCKED: Customer: current facts are unknown/)],
        },
        {
          layer: "customer",
          fields: [
            { field: "state", before: "AVAILABLE", after: "STALE" },
            { field: "reason", before: "none", after: "CURRENTNESS_NOT_ACCEPTED" },
            { field: "selected" },
            { field: "not_selected_because" },
          ],
          because: ['profile support: layers.customer.accept.0 was "CURRENT" and is "STALE"'],
        },
      ],
    });
  });

  test("in which a provider's pattern refuses the value says so of the layer that asks it", async () => {
    const changed = await changeOf(DEGRADED, (document) => (document.providers[1].lookup.pattern = "ORDER-[0-9]+"));
    expect(changed).toMatchObject({
      status: "CHANGED",
      layers: [
        {
          layer: "orders",
          because: ['provider order-data changed: lookup.pattern from "ORD-[0-9]{5}" to "ORDER-[0-9]+"'],
        },
      ],
      unknowns: { removed: [expect.stringContaining("TIMEOUT")], added: [expect.stringContaining("its pattern")] },
    });
  });

  test("that makes a failing test pass mends it", async () => {
    const wanted = testOf([{ contains: "Be kind" }]);
    const mended = await changeOf(wanted, (document) => (document.layers[0].bindings[0].text = "Be kind.\n"));
    expect(mended).toMatchObject({ status: "MENDED", verdicts: ["FAILED", "PASSED"], failures: [] });
  });

  test("in another order moves layers, and one that is gone moves no other", async () => {
    const moved = await changeOf(DEGRADED, (document) => (document.profiles[0].layers[0].priority = 25));
    expect(moved.layers.map(({ layer, fields }) => [layer, fields.map(({ field }) => field)])).toEqual([
      ["customer", ["place"]],
      ["rules", ["place"]],
    ]);
    const gone = await changeOf(DEGRADED, (document) => document.profiles[0].layers.shift());
    expect(gone.layers).toMatchObject([
      { layer: "rules", fields: [{ field: "in the profile", before: "yes", after: null }] },
    ]);
  });

  test("that asks a provider which has no fixture is not verified, and the build is named", async () => {
    const planning = testOf([{ outcome: "READY" }], { objective: "plan-shift", providers: {} });
    const report = await regress([planning], (document) => delete document.layers[1].objectives);
    expect(report).toMatchObject({
      verdict: "NOT_VERIFIED",
      tests: [
        {
          status: "UNKNOWN",
          warnings: [{ code: "PROVIDER_FIXTURE_MISSING", build: "candidate", provider: "customer-data" }],
        },
      ],
    });
  });

  test("that no longer knows what a test asks for says so", async () => {
    const planning = testOf([{ outcome: "READY" }], { objective: "plan-shift", providers: {} });
    expect(await changeOf(planning, (document) => document.objectives.pop())).toMatchObject({
      status: "REGRESSED",
      turn: [
        { field: "outcome", before: "READY", after: null },
        { field: "refused", before: null, after: "there is no such objective" },
      ],
    });
  });

  test("that knows no more than the baseline what a test asks for proves nothing by it", async () => {
    const elsewhere = testOf([{ outcome: "READY" }], { objective: "plan-shift", providers: {} });
    const project = await createSuite([elsewhere]);
    const changed = structuredClone(PROJECT) as { objectives: unknown[] };
    changed.objectives.pop();
    const build = buildOf(await createSuite([], changed));
    const report = await runRegression({
      baseline: build,
      candidate: build,
      tests: selectTests(project, []),
      live: null,
    });
    const says = "no turn to compare: there is no such objective";
    expect(report).toMatchObject({
      verdict: "NOT_VERIFIED",
      tests: [
        {
          status: "UNKNOWN",
          verdicts: ["FAILED", "FAILED"],
          warnings: [
            { code: "NO_TURN", build: "baseline", says },
            { code: "NO_TURN", build: "candidate", says },
          ],
        },
      ],
    });
  });
});

test("a text is taken apart by bytes, so no line in it can pass for a layer's heading", async () => {
  const items = [{ id: "a", content: "# Rules (rules)\nÄ\n\n# Unknown\n- nothing" }];
  const providers = { "customer-data": { items }, "order-data": { status: "TIMEOUT" } };
  const { result } = await evaluateFirst(await createSuite([testOf([], { providers })]));
  const sections = splitText(result);
  expect(sections.get("rules")).toEqual(["# Rules (rules)", "Be brief."]);
  expect(sections.get("customer")?.[0]).toBe("# Customer (customer)");
  expect(sections.get("customer")?.at(-2)).toBe("- nothing");
  expect(sections.get(null)).toEqual(["# Unknown", expect.stringContaining("- Orders: current facts are unknown")]);
});
