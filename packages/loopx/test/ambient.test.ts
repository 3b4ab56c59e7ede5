import { describe, expect, test } from "vitest";
import { createAmbient } from "../src/ambient.ts";

describe("the real ambient", () => {
  test("makes ids of a prefix and 16 characters, no two alike", () => {
    const ambient = createAmbient();
    const ids = Array.from({ length: 2000 }, () => ambient.newId("todo"));
    expect(ids.filter((id) => !/^todo_[0-9a-z]{16}$/.test(id))).toEqual([]);
    expect(new Set(ids).size).toBe(2000);
    // Each of 36 characters is expected about 889 times.
    const counts = new Map<string, number>();
    for (const character of ids.join("").replaceAll("todo_", ""))
      counts.set(character, (counts.get(character) ?? 0) + 1);
    expect(counts.size).toBe(36);
    expect(Math.min(...counts.values())).toBeGreaterThan(700);
  });

  test("tells UTC time in fixed width", () => {
    expect(createAmbient().now()).toMatch(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/);
  });
});
