import { expect, test } from "vitest";
import { readOutcome } from "../../../src/workstation/context/read-outcome.ts";

type Trace = Parameters<typeof readOutcome>[0];

/** Of a trace what its reading looks at. */
function toTrace(parts: object): Trace {
  const whole = { outcome: "DEGRADED", layers: [], providers: [], unknowns: [], blockedBy: [], ...parts };
  return whole as unknown as Trace;
}

function toUnknown(state: string, layer: object = {}, provider: object = {}): Trace {
  return toTrace({
    layers: [{ layer: "orders", state, notSelectedBecause: "NOT_AVAILABLE", currentness: null, ...layer }],
    providers: [{ provider: "crm", status: "OK", reason: null, key: "orderId", durationMs: 300, ...provider }],
    unknowns: [{ layer: "orders", provider: "crm", reason: "A_WORD" }],
  });
}

const STATUSES = [
  ["TIMEOUT", "given up after 300 ms"],
  ["UNAVAILABLE", "could not be reached"],
  ["LIMIT_EXCEEDED", "answered more than it may"],
  ["INVALID_RESPONSE", "broke the contract"],
  ["SECRET_DETECTED", "looks like a credential"],
  ["INCOMPATIBLE", "speaks another contract"],
  ["NOT_BOUND", "the binding has no entry"],
  ["INVALID_REQUEST", "the value of orderId may not be sent"],
  ["NOT_EVALUATED", "the time of the turn was over"],
] as const;

test.each(STATUSES)("a provider that ended with %s is told in a sentence: %s", (status, says) => {
  const [cause] = readOutcome(toUnknown("UNAVAILABLE", {}, { status })).because;
  expect(cause).toMatchObject({ layer: "orders", provider: "crm", word: "A_WORD" });
  expect(cause?.says).toContain(says);
});

test("the place in an answer that was refused stands beside the reason", () => {
  const trace = toUnknown(
    "UNAVAILABLE",
    {},
    { status: "INVALID_RESPONSE", reason: "UNKNOWN_FIELD", pointer: "/items/0/x" },
  );
  expect(readOutcome(trace).because[0]?.says).toContain("The reason is UNKNOWN_FIELD at /items/0/x.");
});

test.each([
  ["UNKNOWN", {}, "did not give the input"],
  ["STALE", { currentness: "STALE" }, "not known to be current (STALE)"],
  ["AVAILABLE", { notSelectedBecause: "BUDGET" }, "does not fit into the profile's budget"],
] as const)("a layer that is %s says so", (state, layer, says) => {
  expect(readOutcome(toUnknown(state, layer)).because[0]?.says).toContain(says);
});

test("a blocked turn is told by what blocks it, not by whatever else is unknown", () => {
  const { says, because } = readOutcome(
    toTrace({
      outcome: "BLOCKED",
      unknowns: [{ layer: "orders", provider: null, reason: "A_WORD" }],
      blockedBy: [{ layer: "customer", provider: null, reason: "ANOTHER" }],
    }),
  );
  expect(says).toContain("got no text: one layer that the profile requires");
  expect(because.map(({ layer }) => layer)).toEqual(["customer"]);
});

test("a turn that is READY has nothing to explain", () => {
  const trace = toTrace({
    outcome: "READY",
    layers: [{ isSelected: true }, { isSelected: true }, { isSelected: false }],
  });
  expect(readOutcome(trace)).toEqual({
    says: "Everything that was asked for is known: 2 layers went into the text.",
    because: [],
  });
});
