import { expect, test } from "vitest";
import { sayTimeFrom } from "../../src/components/say-time-from.ts";

test.each([
  [0, "now"],
  [-999, "now"],
  [-5_000, "5 sec. ago"],
  [59_999, "in 59 sec."],
  [-300_000, "5 min. ago"],
  [7_200_000, "in 2 hr."],
  [-86_400_000, "yesterday"],
])("%i ms from now is %s", (distanceMs, words) => {
  expect(sayTimeFrom(1_700_000_000_000 + distanceMs, 1_700_000_000_000)).toBe(words);
});
