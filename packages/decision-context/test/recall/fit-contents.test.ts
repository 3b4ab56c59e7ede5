import * as fc from "fast-check";
import { expect, test } from "vitest";
import { fitContents } from "../../src/recall/fit-contents.ts";

test("short contents stay whole; what they leave over is shared by the long ones", () => {
  expect(fitContents(["a".repeat(100), "bb", "c".repeat(100)], 52)).toEqual([
    { text: "a".repeat(25), isTruncated: true },
    { text: "bb", isTruncated: false },
    { text: "c".repeat(25), isTruncated: true },
  ]);
});

test("whatever the contents, their bytes stay within the budget and no character is halved", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: "binary" })), fc.integer({ min: 0, max: 64 }), (contents, budget) => {
      const fitted = fitContents(contents, budget);
      const bytes = fitted.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
      expect(bytes).toBeLessThanOrEqual(budget);
      for (const [index, { text, isTruncated }] of fitted.entries()) {
        expect(contents[index]?.startsWith(text)).toBe(true);
        expect(isTruncated).toBe(text !== contents[index]);
      }
    }),
  );
});
