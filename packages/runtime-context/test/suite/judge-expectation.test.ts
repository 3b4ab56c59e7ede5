import { expect, test } from "vitest";
import { judgeExpectation } from "../../src/suite/judge-expectation.ts";
import { createSuite, evaluateFirst, testOf } from "./suite-desk.ts";

const HOLDING: readonly object[] = [
  { outcome: "DEGRADED" },
  { layer: "customer", state: "AVAILABLE" },
  { layer: "orders", state: "UNAVAILABLE", reason: "PROVIDER_TIMEOUT", notSelectedBecause: "NOT_AVAILABLE" },
  { selected: ["customer", "rules"] },
  { excluded: ["orders"] },
  { order: ["rules", "customer"] },
  { provider: "order-data", status: "TIMEOUT" },
  { contains: "Enterprise plan" },
  { matches: "(?i)ENTERPRISE +plan\\.$|plan" },
  { bytesAtMost: 4096 },
  { unknown: "orders" },
  { all: [{ outcome: "DEGRADED" }, { any: [{ contains: "nowhere" }, { contains: "Be brief" }] }] },
];

const FAILING: readonly (readonly [object, string, string | RegExp])[] = [
  [{ outcome: "READY" }, "outcome READY", /^outcome DEGRADED: Orders: current facts are unknown; .*TIMEOUT/],
  [{ outcome: "BLOCKED" }, "outcome BLOCKED", /^outcome DEGRADED/],
  [
    { layer: "orders", state: "EMPTY" },
    "layer orders EMPTY",
    "layer orders UNAVAILABLE, PROVIDER_TIMEOUT, provider order-data TIMEOUT",
  ],
  [{ layer: "orders", reason: "NO_RECORD" }, "layer orders NO_RECORD", /PROVIDER_TIMEOUT/],
  [{ layer: "orders", notSelectedBecause: "BUDGET" }, "layer orders BUDGET", /UNAVAILABLE/],
  [
    { selected: ["rules", "orders"] },
    "in the text: rules, orders",
    "in the text: rules, customer; orders is not: UNAVAILABLE, PROVIDER_TIMEOUT, provider order-data TIMEOUT",
  ],
  [{ excluded: ["customer"] }, "not in the text: customer", "in the text: rules, customer"],
  [{ order: ["customer", "rules"] }, "in this order: customer, rules", "in the text: rules, customer"],
  [{ order: ["rules", "orders"] }, "in this order: rules, orders", /^in the text: rules, customer; orders is not/],
  [{ provider: "order-data", status: "OK" }, "provider order-data OK", "provider order-data TIMEOUT"],
  [
    { provider: "order-data", status: "TIMEOUT", reason: "TURN_DEADLINE" },
    "provider order-data TIMEOUT, TURN_DEADLINE",
    "provider order-data TIMEOUT",
  ],
  [{ contains: "Gold" }, 'a text that contains "Gold"', "it stands nowhere in the text"],
  [{ contains: "be BRIEF" }, 'a text that contains "be BRIEF"', 'in other letters, line 5: "Be brief."'],
  [{ matches: "^Enterprise" }, "a text that matches ^Enterprise", "it matches nowhere in the text"],
  [{ bytesAtMost: 10 }, "a text of at most 10 bytes", /^[0-9]+ bytes of a budget of 4096$/],
  [
    { unknown: "customer" },
    "unknown: customer",
    "unknown: orders; layer customer AVAILABLE, provider customer-data OK",
  ],
  [{ digest: `sha256:${"0".repeat(64)}` }, `the text with digest sha256:${"0".repeat(64)}`, /^the text with digest/],
  [
    { all: [{ outcome: "DEGRADED" }, { contains: "Gold" }] },
    'all of: outcome DEGRADED · a text that contains "Gold"',
    "it stands nowhere in the text",
  ],
  [
    { any: [{ contains: "Gold" }, { provider: "order-data", status: "OK" }] },
    'any of: a text that contains "Gold" · provider order-data OK',
    "it stands nowhere in the text · provider order-data TIMEOUT",
  ],
];

test.each(HOLDING)("%j holds, and its negation does not", async (expectation) => {
  expect(await holds(expectation)).toBe(true);
  expect(await holds({ not: expectation })).toBe(false);
});

test.each(FAILING)("%j fails, says both sides, and its negation holds", async (expectation, expected, got) => {
  const judged = await judge(expectation);
  expect([judged.holds, judged.expected]).toEqual([false, expected]);
  expect(judged.got).toMatch(
    typeof got === "string" ? new RegExp(`^${got.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")}$`) : got,
  );
  expect(await judge({ not: expectation })).toMatchObject({ holds: true, expected: `not: ${expected}` });
});

test("a digest that none is accepted for yet fails, and says which one the text has", async () => {
  expect(await judge({ digest: "" })).toMatchObject({
    holds: false,
    expected: "a digest, and none is accepted yet",
    got: expect.stringMatching(/^the text with digest sha256:[0-9a-f]{64}$/),
  });
});

test("a negation that fails says where the text is that should not be there", async () => {
  expect(await judge({ not: { contains: "Enterprise" } })).toEqual({
    holds: false,
    expected: 'not: a text that contains "Enterprise"',
    got: 'line 9: "On the Enterprise plan."',
  });
});

test("a turn that is blocked has no text, and each expectation about it says why", async () => {
  const parts = { providers: { "customer-data": { status: "UNAVAILABLE" }, "order-data": { items: [] } } };
  for (const expectation of [{ contains: "Be brief" }, { matches: "brief" }, { selected: ["rules"] }]) {
    const judged = await judge(expectation, parts);
    expect(judged.got).toMatch(/^no text, for the turn is BLOCKED: Customer: current facts are unknown; CRM gave no/);
  }
});

test("a provider that nobody had to ask is NOT_REQUESTED, one whose value was refused INVALID_REQUEST", async () => {
  const planning = { objective: "plan-shift", providers: {} };
  expect(await holds({ provider: "customer-data", status: "NOT_REQUESTED" }, planning)).toBe(true);
  const refused = { inputs: { customerId: "CUST-1042", orderId: "no order" } };
  expect(await holds({ provider: "order-data", status: "INVALID_REQUEST" }, refused)).toBe(true);
});

async function judge(expectation: object, parts: object = {}): Promise<ReturnType<typeof judgeExpectation>> {
  const project = await createSuite([testOf([expectation], parts)]);
  const [parsed] = project.tests[0]?.expect ?? [];
  if (parsed === undefined) throw new Error("no expectation");
  return judgeExpectation(parsed, await evaluateFirst(project));
}

async function holds(expectation: object, parts: object = {}): Promise<boolean> {
  return (await judge(expectation, parts)).holds;
}
