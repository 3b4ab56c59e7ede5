import { assert, property, string } from "fast-check";
import { expect, test } from "vitest";
import { hashText } from "../../src/ranking/hash-text.ts";

test("texts that differ in one place, in order or in length have different marks", () => {
  assert(
    property(string(), string(), (before, after) => {
      expect(hashText(`${before}a${after}`)).not.toBe(hashText(`${before}b${after}`));
      expect(hashText(`${before}ab${after}`)).not.toBe(hashText(`${before}ba${after}`));
      expect(hashText(`${before}\0${after}`)).not.toBe(hashText(`${before}${after}`));
    }),
  );
});

test("of a hundred thousand texts that are nearly the same, no two have the same mark", () => {
  const marks = new Set(Array.from({ length: 100_000 }, (_, at) => hashText(`step ${at} is done`)));
  expect(marks.size).toBe(100_000);
});
