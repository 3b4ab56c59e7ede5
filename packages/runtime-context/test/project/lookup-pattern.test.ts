import { describe, expect, test } from "vitest";
import * as fc from "fast-check";
import { findPatternFault, matchesLookupPattern } from "../../src/project/lookup-pattern.ts";
import { isBaseLookupValue } from "../../src/project/lookup-value.ts";

describe("a lookup value", () => {
  test.each([
    ["^CUST-[0-9]{4}$", "CUST-1042", true],
    ["CUST-[0-9]{4}", "CUST-1042", true],
    ["CUST-[0-9]{4}", "xCUST-1042", false],
    ["CUST-[0-9]{4}", "CUST-10424", false],
    ["^CUST-[0-9]{4}$", "CUST-1042\n", false],
    ["^a|b$", "ab", false],
    [".*", "", false],
    [".*", "-a", false],
    [".*", "a b", false],
    [".*", "a/../b", false],
    [".*", "é", false],
    [".*", "a._:@-Z9", true],
    [".*", "a".repeat(256), true],
    [".*", "a".repeat(257), false],
  ])("%s and %j: %s", (pattern, value, expected) => {
    expect(matchesLookupPattern(pattern, value)).toBe(expected);
  });

  test("passes the loop exactly when the seed's pattern takes it", () => {
    const characters = fc.constantFrom(..."a Z 0 9 . _ : @ - / % \n \u00e9".split(" "), " ");
    const values = fc.oneof(fc.string({ unit: characters, maxLength: 8 }), fc.string(), fc.constant("a".repeat(257)));
    fc.assert(
      fc.property(values, (value) => {
        expect(isBaseLookupValue(value)).toBe(/^[A-Za-z0-9][A-Za-z0-9._:@-]{0,255}$(?!\n)/.test(value));
      }),
      { numRuns: 2000 },
    );
  });
});

describe("a pattern", () => {
  test.each([
    ["", "the pattern is empty"],
    ["(a)\\1", "the pattern does not compile: invalid escape sequence: `\\1`"],
    ["[", "the pattern does not compile: missing closing ]: `[`"],
    ["(a{1,1000}){1,1000}", "the pattern does not compile: expression too large"],
    ["a".repeat(257), "the pattern is over the limit of 256 characters"],
    ["a{900}b{900}c{900}", "the pattern is too large (2702 of 2000 steps)"],
    ["^CUST-[0-9]{4}$", undefined],
    ["a".repeat(256), undefined],
  ])("%j is refused with: %s", (source, expected) => {
    expect(findPatternFault(source)).toBe(expected);
  });

  test("that takes a backtracking engine ages is answered in steps linear in the value", () => {
    // (a+)+$ over 256 characters would take a backtracking engine longer than the universe has.
    expect(matchesLookupPattern("^(a+)+$", `${"a".repeat(255)}-`)).toBe(false);
    expect(matchesLookupPattern("^(a|aa)*c$", "a".repeat(256))).toBe(false);
  });
});
