import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatDuration, parseDuration, parseInstant } from "../src/duration.ts";
import { refusalOf } from "./refusal-of.ts";

describe("parseDuration", () => {
  test.each([
    ["30s", 30_000],
    ["5m", 300_000],
    ["2h", 7_200_000],
    ["1d", 86_400_000],
    ["1h30m", 5_400_000],
    ["1d2h3m4s", 93_784_000],
    ["90m", 5_400_000],
  ])("%s is %i ms", (text, durationMs) => {
    expect(parseDuration(text)).toBe(durationMs);
  });

  test.each([
    "",
    "0s",
    "0m",
    "-5m",
    "+5m",
    "5",
    "m",
    "5 m",
    " 5m",
    "5M",
    "1.5h",
    "1e3s",
    "30m1h",
    "5mm",
    "9999d",
    5,
    null,
  ])("refuses %j", (text) => {
    expect(refusalOf(() => parseDuration(text))).toBe("invalid_value");
  });

  test("reads back what formatDuration writes", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 3660 * 86_400 }), (seconds) => {
        expect(parseDuration(formatDuration(seconds * 1000))).toBe(seconds * 1000);
      }),
    );
  });
});

test.each([
  [45 * 60_000, "45m"],
  [5_400_000, "1h30m"],
  [86_400_000, "1d"],
  [1500, "2s"],
  [1, "1s"],
  [0, "0s"],
  [-5000, "0s"],
])("formatDuration of %i ms is %s", (durationMs, text) => {
  expect(formatDuration(durationMs)).toBe(text);
});

describe("parseInstant", () => {
  test.each([
    ["2026-12-01T09:30:00Z", "2026-12-01T09:30:00.000Z"],
    ["2026-12-01T09:30Z", "2026-12-01T09:30:00.000Z"],
    ["2026-12-01T09:30:00.123456789+02:00", "2026-12-01T07:30:00.123Z"],
    ["2026-12-31T23:30:00-05:30", "2027-01-01T05:00:00.000Z"],
    ["2028-02-29T00:00:00Z", "2028-02-29T00:00:00.000Z"],
    ["9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z"],
  ])("%s is %s", (text, instant) => {
    expect(parseInstant(text, "after")).toBe(instant);
  });

  test.each([
    "2026-02-31T00:00:00Z",
    "2026-02-29T00:00:00Z",
    "2026-13-01T00:00:00Z",
    "2026-00-10T00:00:00Z",
    "2026-01-00T00:00:00Z",
    "2026-01-01T24:00:00Z",
    "2026-01-01T00:60:00Z",
    "2026-01-01T00:00:60Z",
    "2026-01-01T00:00:00",
    "2026-01-01",
    "2026-01-01 00:00:00Z",
    "2026-01-01T00:00:00+15:00",
    "2026-01-01T00:00:00+01:60",
    "0001-01-01T00:00:00Z",
    "9999-12-31T23:59:59-01:00",
    "tomorrow",
    "",
    1_700_000_000_000,
    undefined,
  ])("refuses %j", (text) => {
    expect(refusalOf(() => parseInstant(text, "after"))).toBe("invalid_value");
  });
});
