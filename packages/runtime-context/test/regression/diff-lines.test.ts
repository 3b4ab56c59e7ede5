import { array, assert, constantFrom, property } from "fast-check";
import { expect, test } from "vitest";
import { diffLines } from "../../src/regression/diff-lines.ts";

test.each([
  [["a", "b", "c"], ["a", "x", "c"], { removed: ["b"], added: ["x"] }],
  [["a", "a"], ["a"], { removed: ["a"], added: [] }],
  [[], ["a"], { removed: [], added: ["a"] }],
  [["a"], ["a"], null],
])("from %j to %j", (before, after, expected) => {
  expect(diffLines(before, after)).toEqual(expected);
});

test("putting the added lines in place of the removed ones makes the other text", () => {
  const lines = array(constantFrom("a", "b", "c"), { maxLength: 15 });
  assert(
    property(lines, lines, (before, after) => {
      const { removed, added } = diffLines(before, after) ?? { removed: [], added: [] };
      // Wherever the removed lines stand.
      const made = [...before.keys(), before.length]
        .filter((at) => removed.join() === before.slice(at, at + removed.length).join())
        .map((at) => [...before.slice(0, at), ...added, ...before.slice(at + removed.length)].join());
      expect(made).toContain(after.join());
    }),
  );
});

test("a long difference is cut, and says how much is left out", () => {
  const lines = Array.from({ length: 25 }, (_, at) => String(at));
  expect(diffLines([], lines)?.added.slice(-2)).toEqual(["19", "… and 5 more"]);
});
