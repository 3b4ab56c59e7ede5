import { describe, expect, test } from "vitest";
import { parseTraceQuery } from "../../src/trace/trace-query.ts";

test("a query has fifty traces a page unless it says otherwise", () => {
  expect(parseTraceQuery({})).toEqual({ limit: 50 });
  const raw = {
    provider: "customer-data",
    providerStatus: "TIMEOUT",
    objective: "resolve-ticket",
    consumer: "support-agent",
    outcome: "DEGRADED",
    layer: "customer-profile",
    since: "2026-11-01T00:00:00+01:00",
    until: "2026-12-01T00:00:00Z",
    cursor: "before-17",
    limit: "200",
  };
  expect(parseTraceQuery(raw)).toEqual({
    ...raw,
    since: "2026-10-31T23:00:00.000Z",
    until: "2026-12-01T00:00:00.000Z",
    limit: 200,
  });
});

describe("what can't be searched for is refused without repeating it", () => {
  test.each([
    ["limit", "0"],
    ["limit", "201"],
    ["limit", "ten"],
    ["limit", "1e2"],
    ["cursor", "17"],
    ["cursor", "before-0"],
    ["cursor", "before-17 OR 1=1"],
    ["provider", "Customer Data"],
    ["providerStatus", "timeout"],
    ["outcome", "FINE"],
    ["since", "yesterday"],
    ["until", "2026-12-01"],
  ])("%s %s", (field, value) => {
    const attempt = (): unknown => parseTraceQuery({ [field]: value });
    expect(attempt).toThrow(expect.objectContaining({ code: "invalid_value", details: { field } }));
  });

  test("an unknown filter", () => {
    expect(() => parseTraceQuery({ value: "CUST-1042" })).toThrow("the search takes provider, objective");
  });
});
