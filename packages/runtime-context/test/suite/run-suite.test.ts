import { isLoopxError } from "@loopx/contracts";
import { describe, expect, test } from "vitest";
import { renderJunit } from "../../src/suite/render-junit.ts";
import { runSuite, selectTests, type SuiteReport } from "../../src/suite/run-suite.ts";
import { buildOf, createSuite, testOf } from "./suite-desk.ts";

async function run(tests: readonly unknown[], words: readonly string[] = []): Promise<SuiteReport> {
  const project = await createSuite(tests);
  return runSuite(buildOf(project), selectTests(project, words));
}

const PASSING = testOf([{ outcome: "DEGRADED" }]);
const FAILING = testOf([{ outcome: "READY" }], { id: "two", name: "Orders at hand" });
const UNFIXED = testOf([{ outcome: "DEGRADED" }], { id: "three", providers: { "customer-data": { items: [] } } });

describe("a suite", () => {
  test("passes when every test does", async () => {
    expect(await run([PASSING])).toMatchObject({ verdict: "PASSED", counts: { PASSED: 1, FAILED: 0, UNKNOWN: 0 } });
  });

  test("is not verified while a provider that would be asked has no fixture, whatever the test expects", async () => {
    expect(await run([PASSING, UNFIXED])).toMatchObject({
      verdict: "NOT_VERIFIED",
      counts: { PASSED: 1, UNKNOWN: 1 },
      tests: [
        {},
        {
          status: "UNKNOWN",
          outcome: null,
          warnings: [
            {
              code: "PROVIDER_FIXTURE_MISSING",
              provider: "order-data",
              says: 'provider order-data would be asked and the test three has no fixture for it: add "order-data" to its "providers"',
            },
          ],
        },
      ],
    });
  });

  test("asks for no fixture of a provider that a turn doesn't need", async () => {
    const planning = testOf([{ outcome: "READY" }], { objective: "plan-shift", providers: {} });
    expect(await run([planning])).toMatchObject({ verdict: "PASSED" });
  });

  test("fails with one failure, whatever else is unknown", async () => {
    expect(await run([FAILING, UNFIXED])).toMatchObject({ verdict: "FAILED" });
  });

  test("verifies nothing without a test, and with one that expects nothing", async () => {
    expect(await run([])).toMatchObject({ verdict: "NOT_VERIFIED" });
    expect(await run([testOf([])])).toMatchObject({
      verdict: "NOT_VERIFIED",
      tests: [{ status: "UNKNOWN", outcome: "DEGRADED", warnings: [{ code: "NOTHING_EXPECTED" }] }],
    });
  });

  test("says of a failing test which input nobody asks for", async () => {
    const mistyped = testOf([{ outcome: "READY" }], { inputs: { customerId: "CUST-1042", orderID: "ORD-20001" } });
    expect(await run([mistyped])).toMatchObject({
      tests: [{ status: "FAILED", warnings: [{ code: "INPUT_IGNORED", says: expect.stringContaining("orderId") }] }],
    });
  });

  test("fails a test whose request the build doesn't know", async () => {
    const budget = { bytes: 100 };
    const profiles = ["a", "b"].map((id) => ({ id, budget, layers: [{ layer: "rules", rule: "required" }] }));
    const project = await createSuite([PASSING], { profiles });
    expect(await runSuite(buildOf(project), selectTests(project, []))).toMatchObject({
      tests: [{ status: "FAILED", failures: [{ got: expect.stringContaining("name one of: a, b") }] }],
    });
  });

  test("comes to the same bytes every time, and a fixture's time moves no text", async () => {
    const [first, second] = [await run([PASSING, FAILING]), await run([PASSING, FAILING])];
    expect(JSON.stringify(first)).toBe(JSON.stringify(second));
  });

  test("takes facts of its latest fixture for current, without a clock, and by its clock otherwise", async () => {
    const item = { id: "CUST-1042", content: "Here.", updatedAt: "2031-05-01" };
    const providers = { "customer-data": { items: [item] }, "order-data": { items: [] } };
    const available = [{ layer: "customer", state: "AVAILABLE" }];
    expect(await run([testOf(available, { providers })])).toMatchObject({ verdict: "PASSED" });
    const early = testOf(available, { providers, clock: "2026-01-01T00:00:00Z" });
    expect(await run([early])).toMatchObject({ verdict: "FAILED" });
  });

  test("tells how far it is, last of all that it is done", async () => {
    const many = Array.from({ length: 150 }, (_, at) => testOf([{ outcome: "DEGRADED" }], { id: `t${at}` }));
    const project = await createSuite(many);
    const told: string[] = [];
    await runSuite(buildOf(project), selectTests(project, []), (done, total) => told.push(`${done}/${total}`));
    expect(told).toEqual(["64/150", "128/150", "150/150"]);
  });
});

async function chosen(...words: readonly string[]): Promise<readonly string[]> {
  return (await run([PASSING, FAILING, UNFIXED], words)).tests.map((verdict) => verdict.test);
}

describe("a filter", () => {
  test("chooses by a part of id or name", async () => {
    expect(await chosen("thr")).toEqual(["three"]);
    expect(await chosen("Orders at", "one")).toEqual(["one", "two"]);
  });

  test("that chooses nothing is refused: it must not look like a run that passed", async () => {
    const error: unknown = await run([PASSING, UNFIXED], ["thee"]).catch((thrown: unknown) => thrown);
    expect(isLoopxError(error) && [error.code, error.message]).toEqual([
      "invalid_value",
      'no test\'s id or name contains "thee" (did you mean "three"?)',
    ]);
  });
});

test("JUnit XML counts an unknown test as an error, and holds any text", async () => {
  const report = await run([
    PASSING,
    testOf([{ contains: 'a"<b>&\u0001\n' }], { id: "two", name: "O <r> & s" }),
    UNFIXED,
  ]);
  const xml = renderJunit("desk", report);
  expect(xml).toContain('<testsuite name="desk" tests="3" failures="1" errors="1">');
  expect(xml).toContain('<testcase classname="desk" name="one"/>');
  expect(xml).toContain('name="two: O &lt;r&gt; &amp; s">');
  expect(xml).toContain("a text that contains &quot;a\\&quot;&lt;b&gt;&amp;\\u0001\\n&quot;; got it stands nowhere");
  expect(xml).toContain('<error type="PROVIDER_FIXTURE_MISSING" message="provider order-data would be asked');
});

test("JUnit XML takes a passing test with an ignored input for a passing one", async () => {
  const inputs = { customerId: "CUST-1042", orderId: "ORD-20001", page: "1" };
  const xml = renderJunit("desk", await run([testOf([{ outcome: "DEGRADED" }], { inputs })]));
  expect(xml).toContain('failures="0" errors="0"');
  expect(xml).not.toContain("<error");
  expect(xml).toContain("<system-out>no layer or provider asks for the input &quot;page&quot;");
});
