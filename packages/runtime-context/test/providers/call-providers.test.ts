import { describe, expect, test } from "vitest";
import { callProviders } from "../../src/providers/call-providers.ts";
import { createFixtureProviderClient } from "../../src/providers/fixture/fixture-provider-client.ts";
import type { ProviderClient } from "../../src/providers/provider-outcome.ts";
import { CREDENTIALS } from "./answer/credential-samples.ts";
import { CLOCK, REQUIREMENT } from "./provider-cases.ts";

const ITEM = { id: "CUST-1042", content: "x" };
const OPTIONS = { turnDeadlineMs: 20_000, clock: CLOCK };

function plan(provider: string, value: string): { provider: string; input: string; value: string; limit: number } {
  return { provider, input: "customerId", value, limit: 2 };
}

/** A fixture client that notes what is asked, and how many are asked at one time. */
function createWatchedClient(): { client: ProviderClient; asked: string[]; most: () => number } {
  const fixture = createFixtureProviderClient(REQUIREMENT, () => ({ items: [ITEM] }), CLOCK);
  const asked: string[] = [];
  let running = 0;
  let most = 0;
  const client: ProviderClient = {
    ...fixture,
    async lookup(lookup, deadline) {
      asked.push(`${lookup.provider} ${lookup.key}=${lookup.value} ${lookup.limit}`);
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setTimeout(resolve, 5));
      running -= 1;
      return fixture.lookup(lookup, deadline);
    },
  };
  return { client, asked, most: () => most };
}

describe("callProviders", () => {
  test("calls each provider and value once, and keeps the plan's order", async () => {
    const { client, asked } = createWatchedClient();
    const lookups = [plan("b", "CUST-1"), plan("a", "CUST-1"), plan("b", "CUST-1"), plan("b", "CUST-2")];
    const outcomes = await callProviders(
      lookups,
      new Map([
        ["a", client],
        ["b", client],
      ]),
      OPTIONS,
    );
    expect([...outcomes.keys()]).toEqual(["b\nCUST-1", "a\nCUST-1", "b\nCUST-2"]);
    expect(asked.toSorted()).toEqual(["a customerId=CUST-1 2", "b customerId=CUST-1 2", "b customerId=CUST-2 2"]);
    expect([...outcomes.values()].map(({ status }) => status)).toEqual(["OK", "OK", "OK"]);
  });

  test("calls at most four at a time, and as many as it may", async () => {
    const { client, most } = createWatchedClient();
    const lookups = Array.from({ length: 12 }, (_, nr) => plan("a", `CUST-${nr}`));
    await callProviders(lookups, new Map([["a", client]]), OPTIONS);
    expect(most()).toBe(4);
  });

  test("a provider without a client is NOT_BOUND, and the others are called", async () => {
    const { client } = createWatchedClient();
    const outcomes = await callProviders([plan("x", "CUST-1"), plan("a", "CUST-1")], new Map([["a", client]]), OPTIONS);
    expect([...outcomes.values()]).toMatchObject([
      { status: "NOT_BOUND", providerType: null, attempts: 0 },
      { status: "OK" },
    ]);
  });

  test.each([
    ["empty", "", "VALUE_MALFORMED"],
    ["a leading dot", ".a", "VALUE_MALFORMED"],
    ["a slash", "a/b", "VALUE_MALFORMED"],
    ["a line feed", "CUST-1\n", "VALUE_MALFORMED"],
    ["257 characters", "a".repeat(257), "VALUE_MALFORMED"],
    ["a credential (K4)", CREDENTIALS["github_token"] ?? "", "VALUE_IS_CREDENTIAL"],
  ])("a value that is %s is INVALID_REQUEST and reaches no client", async (_name, value, reason) => {
    const { client, asked } = createWatchedClient();
    const outcomes = await callProviders([plan("a", value)], new Map([["a", client]]), OPTIONS);
    expect([...outcomes.values()]).toMatchObject([{ status: "INVALID_REQUEST", reason }]);
    expect(asked).toEqual([]);
  });

  test.each(["CUST-1042", "a", "a@b.example:1_x-2", "a".repeat(256)])("the value %s is sent", async (value) => {
    const { client, asked } = createWatchedClient();
    await callProviders([plan("a", value)], new Map([["a", client]]), OPTIONS);
    expect(asked).toHaveLength(1);
  });

  test("what had not begun when the turn's time was spent is NOT_EVALUATED", async () => {
    const { client, asked } = createWatchedClient();
    let nowMs = 0;
    const clock = { now: CLOCK.now, monotonicMs: () => (nowMs += 10) };
    const lookups = Array.from({ length: 6 }, (_, nr) => plan("a", `CUST-${nr}`));
    const outcomes = await callProviders(lookups, new Map([["a", client]]), {
      turnDeadlineMs: 25,
      concurrency: 1,
      clock,
    });
    const statuses = [...outcomes.values()].map(({ status, reason }) => `${status} ${reason}`);
    expect(statuses[0]).toBe("OK null");
    expect(statuses.at(-1)).toBe("NOT_EVALUATED TURN_DEADLINE");
    expect(asked.length).toBeLessThan(6);
    const none = await callProviders(lookups, new Map([["a", client]]), { ...OPTIONS, turnDeadlineMs: 0 });
    expect(new Set([...none.values()].map(({ status }) => status))).toEqual(new Set(["NOT_EVALUATED"]));
  });

  test("a client that throws is UNAVAILABLE, and its message goes nowhere", async () => {
    const { client } = createWatchedClient();
    const broken: ProviderClient = { ...client, lookup: () => Promise.reject(new Error("token tk-123")) };
    const outcomes = await callProviders(
      [plan("a", "CUST-1"), plan("b", "CUST-1")],
      new Map([
        ["a", broken],
        ["b", client],
      ]),
      OPTIONS,
    );
    expect([...outcomes.values()]).toMatchObject([
      { status: "UNAVAILABLE", reason: "CLIENT_FAILED" },
      { status: "OK" },
    ]);
    expect(JSON.stringify([...outcomes.values()])).not.toContain("tk-123");
  });
});
