import { describe, expect, test } from "vitest";
import type { Refusal } from "@loopx/contracts";
import { previewTurn, type Preview } from "../../src/preview/preview-turn.ts";
import { CLOCK } from "../providers/provider-cases.ts";
import { buildOf, createSuite, testOf } from "../suite/suite-desk.ts";

const GOLD = { items: [{ id: "CUST-1042", content: "On the Gold plan." }] };
const SHIPPED = { items: [{ id: "ORD-20001", content: "Shipped." }] };

async function preview(tests: readonly unknown[], inputs: object, preferred?: string): Promise<Preview | Refusal> {
  const project = await createSuite(tests);
  const previewed = { project, build: buildOf(project), preferredTest: preferred ?? null };
  const request = { objective: "answer-ticket", consumer: "support-agent", profile: null, inputs: { ...inputs } };
  return previewTurn(previewed, request, CLOCK);
}

const INPUTS = { customerId: "CUST-1042", orderId: "ORD-20001" };
const FIRST = testOf([], { providers: { "customer-data": GOLD, "order-data": SHIPPED } });

describe("a preview", () => {
  test("takes the fixture of a test for the same lookup value, and says whose it is", async () => {
    expect(await preview([FIRST], INPUTS)).toMatchObject({
      evaluation: {
        result: { outcome: "READY", rendered: expect.stringMatching(/Gold plan[^]*Shipped/) },
      },
      sources: [
        { provider: "customer-data", source: "TEST_FIXTURE", tests: ["one"], warning: null },
        { provider: "order-data", source: "TEST_FIXTURE", tests: ["one"], warning: null },
      ],
    });
  });

  test("takes the fixtures of several tests for one turn, each by its value", async () => {
    const other = testOf([], { id: "two", inputs: { orderId: "ORD-20002" }, providers: { "order-data": SHIPPED } });
    expect(await preview([FIRST, other], { ...INPUTS, orderId: "ORD-20002" })).toMatchObject({
      sources: [{ tests: ["one"] }, { provider: "order-data", source: "TEST_FIXTURE", tests: ["two"] }],
    });
  });

  test("has no facts for a value that no test names, and says so", async () => {
    expect(await preview([FIRST], { ...INPUTS, customerId: "CUST-2000" })).toMatchObject({
      evaluation: {
        result: {
          outcome: "BLOCKED",
          blockedBy: [{ says: "Customer: current facts are unknown; CRM has no fixture for this value." }],
        },
      },
      sources: [{ source: null, tests: [], warning: { code: "PROVIDER_FIXTURE_MISSING" } }, {}],
    });
  });

  test("takes no fixture where tests differ, and names them; equal ones are one", async () => {
    const same = testOf([], { id: "same", providers: { "customer-data": GOLD, "order-data": SHIPPED } });
    expect(await preview([FIRST, same], INPUTS)).toMatchObject({ sources: [{ tests: ["one", "same"] }, {}] });
    const late = testOf([], { id: "late", providers: { "customer-data": { status: "TIMEOUT" } } });
    expect(await preview([FIRST, late, same], INPUTS)).toMatchObject({
      evaluation: { result: { outcome: "BLOCKED" } },
      sources: [
        {
          provider: "customer-data",
          source: null,
          tests: ["one", "late", "same"],
          warning: { code: "PROVIDER_FIXTURE_AMBIGUOUS", says: expect.stringContaining("--test") },
        },
        { provider: "order-data", source: "TEST_FIXTURE" },
      ],
    });
  });

  test("takes those of the test that is named", async () => {
    const late = testOf([], { id: "late", providers: { "customer-data": { status: "TIMEOUT" } } });
    expect(await preview([FIRST, late], INPUTS, "late")).toMatchObject({
      evaluation: { result: { layers: [{}, { providerStatus: "TIMEOUT" }, { state: "AVAILABLE" }] } },
      sources: [{ source: "TEST_FIXTURE", tests: ["late"] }, { tests: ["one"] }],
    });
    expect(await preview([FIRST, late], INPUTS, "lat")).toMatchObject({
      ok: false,
      code: "invalid_value",
      message: 'the project has no test "lat" (did you mean "late"?)',
    });
  });

  test("looks at no fixture that the turn doesn't need, and refuses what the build doesn't know", async () => {
    expect(await preview([FIRST], {})).toMatchObject({ sources: [] });
    const project = await createSuite([]);
    const request = { objective: "sell", consumer: "support-agent", profile: null, inputs: {} };
    const previewed = { project, build: buildOf(project), preferredTest: null };
    expect(await previewTurn(previewed, request, CLOCK)).toMatchObject({ ok: false, code: "invalid_value" });
  });
});
