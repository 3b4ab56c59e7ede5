import { describe, expect, test } from "vitest";
import { editDistance, findSuggestions } from "../src/find-suggestions.ts";

describe("editDistance", () => {
  test.each([
    ["", "", 0],
    ["add", "add", 0],
    ["ad", "add", 1],
    ["adn", "and", 1],
    ["list", "lsit", 1],
    ["kitten", "sitting", 3],
    ["", "abc", 3],
  ])("%j → %j takes %i steps", (left, right, steps) => {
    expect(editDistance(left, right)).toBe(steps);
    expect(editDistance(right, left)).toBe(steps);
  });
});

describe("findSuggestions", () => {
  test("keeps the closest, three at most", () => {
    expect(findSuggestions("--limt", ["--lose", "--limit", "--text"])).toEqual(["--limit"]);
    expect(findSuggestions("aaaa", ["aaab", "aaac", "aaad", "aaae"])).toEqual(["aaab", "aaac", "aaad"]);
  });

  test("knows the beginning of a longer word", () => {
    expect(findSuggestions("--evid", ["--evidence", "--agent-id"])).toEqual(["--evidence"]);
  });

  test("has nothing to say about a word that is like none, or about a pasted text", () => {
    expect(findSuggestions("--zzzz", ["--text"])).toEqual([]);
    expect(findSuggestions("x".repeat(100_000), ["--text", "y".repeat(100_000)])).toEqual([]);
  });
});
