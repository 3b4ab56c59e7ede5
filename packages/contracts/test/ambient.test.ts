import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { addMs, parseInstant, toEpochMs, toInstant } from "../src/index.ts";

const FIRST = "1970-01-01T00:00:00.000Z";
const LAST = "9999-12-31T23:59:59.999Z";

describe("toInstant", () => {
  test("every moment that a clock can give is one that can be read back, and keeps its order", () => {
    const clock = fc.oneof(fc.integer(), fc.maxSafeInteger(), fc.double({ noNaN: true }));
    fc.assert(
      fc.property(clock, clock, (left, right) => {
        const [earlier, later] = [toInstant(Math.min(left, right)), toInstant(Math.max(left, right))];
        expect(earlier <= later).toBe(true);
        expect([parseInstant(earlier, "at"), parseInstant(later, "at")]).toEqual([earlier, later]);
      }),
    );
  });

  test("a clock beyond what an instant can say stands at its end", () => {
    expect(toInstant(-1)).toBe(FIRST);
    expect(toInstant(toEpochMs(toInstant(Infinity)) + 1)).toBe(LAST);
  });
});

test("a duration that leads beyond the ends of time leads to the end", () => {
  expect(addMs(toInstant(Infinity), 60_000)).toBe(LAST);
  expect(addMs(toInstant(0), Number.MAX_SAFE_INTEGER)).toBe(LAST);
  expect(addMs(toInstant(0), -Number.MAX_SAFE_INTEGER)).toBe(FIRST);
});
