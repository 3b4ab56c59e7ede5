import { expect, test } from "vitest";
import { randomBytes } from "../src/random-bytes.ts";

test("gives as many bytes as asked for, and others each time", () => {
  const draws = Array.from({ length: 100 }, () => Buffer.from(randomBytes(24)).toString("hex"));
  expect(draws.filter((draw) => draw.length !== 48)).toEqual([]);
  expect(new Set(draws).size).toBe(100);
});
