import * as fc from "fast-check";
import { expect, test } from "vitest";
import { cutText } from "../../src/index.ts";
import { countCodePoints } from "../../src/text/count-code-points.ts";

const FAMILY = "👩‍👩‍👧‍👦";

test("a text within the limit is left as it is", () => {
  expect(cutText("short", 5)).toEqual({ text: "short", isCut: false });
});

test("a cut never halves a user-perceived character", () => {
  expect(cutText(`ab${FAMILY}cd`, 4)).toEqual({ text: "ab", isCut: true });
  expect(cutText(`ab${FAMILY}cd`, 9)).toEqual({ text: `ab${FAMILY}`, isCut: true });
  expect(cutText("e\u0301e\u0301e\u0301", 3)).toEqual({ text: "e\u0301", isCut: true });
});

test("a start within a character is moved to its beginning", () => {
  expect(cutText(`ab${FAMILY}cd`, 8, 5)).toEqual({ text: `${FAMILY}c`, isCut: true });
});

test("one character longer than the limit is cut between code points", () => {
  expect(cutText(`e${"\u0301".repeat(50)}`, 10).text).toBe(`e${"\u0301".repeat(9)}`);
});

test("any cut is well-formed and within its limit", () => {
  const texts = fc.string({ unit: "binary", maxLength: 60 });
  fc.assert(
    fc.property(texts, fc.integer({ min: 1, max: 40 }), fc.integer({ min: 0, max: 70 }), (text, limit, from) => {
      const cut = cutText(text, limit, from).text;
      expect(countCodePoints(cut)).toBeLessThanOrEqual(limit);
      expect(cut.isWellFormed()).toBe(true);
    }),
  );
});
