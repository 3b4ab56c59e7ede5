import { describe, expect, test } from "vitest";
import { countPlaceholders } from "../src/placeholders.ts";

describe("countPlaceholders", () => {
  test.each([
    { sql: "SELECT 1", count: 0 },
    { sql: "SELECT ?, ?", count: 2 },
    { sql: "SELECT '?', ?", count: 1 },
    { sql: "SELECT 'it''s ?', ?", count: 1 },
    { sql: 'SELECT "a?" FROM t WHERE a = ?', count: 1 },
    { sql: "SELECT ? -- ?\n, ?", count: 2 },
    { sql: "SELECT ? /* ? \n ' */, ?", count: 2 },
    { sql: "SELECT ? -- it's\n, ?", count: 2 },
  ])("$sql has $count", ({ sql, count }) => {
    expect(countPlaceholders(sql)).toBe(count);
  });
});
