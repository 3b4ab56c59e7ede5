import { parseInstant } from "@loopx/contracts";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { instant } from "../../src/events/column-rule.ts";

/** The rule as the contracts say it. */
function isOneSpelling(value: unknown): boolean {
  try {
    return parseInstant(value, "at") === value;
  } catch {
    return false;
  }
}

const isTakenAlike = (value: unknown): boolean => instant(value) === isOneSpelling(value);

const digits = (length: number): fc.Arbitrary<string> =>
  fc.nat(10 ** length - 1).map((value) => String(value).padStart(length, "0"));
const spelled = fc
  .tuple(digits(4), digits(2), digits(2), digits(2), digits(2), digits(2), digits(3))
  .map(([year, month, day, hour, minute, second, ms]) => `${year}-${month}-${day}T${hour}:${minute}:${second}.${ms}Z`);
const moments = fc
  .date({ min: new Date("1960-01-01"), max: new Date("2100-01-01"), noInvalidDate: true })
  .map((date) => date.toISOString());

describe("a stored moment", () => {
  test("is taken exactly where parseInstant gives it back as it is", () => {
    fc.assert(fc.property(fc.oneof(moments, spelled, fc.string(), fc.anything()), isTakenAlike), { numRuns: 2000 });
  });

  test.each([
    ["2026-02-28T23:59:59.999Z", true],
    ["2026-02-29T00:00:00.000Z", false],
    ["2026-04-31T00:00:00.000Z", false],
    ["2026-12-01T24:00:00.000Z", false],
    ["2026-12-01T12:00:60.000Z", false],
    ["2026-12-01T12:00:00Z", false],
    ["2026-12-01T12:00:00.000+00:00", false],
    ["1969-12-31T23:59:59.999Z", false],
    ["1970-01-01T00:00:00.000Z", true],
    ["9999-12-31T23:59:59.999Z", true],
  ])("%s", (value, isTaken) => {
    expect(instant(value)).toBe(isTaken);
    expect(isOneSpelling(value)).toBe(isTaken);
  });
});
