import { expect, test } from "vitest";
import { findGoalText } from "../../src/guided-start/slash-arguments.ts";

test("the raw arguments are the task text, byte for byte", () => {
  for (const raw of [
    "fix it",
    "--fine-grained fix it",
    "--capability-route issue-fix https://example.com/1",
    "  two\r\n lines\t",
    "\u00a0x",
    "\u3000",
    "pay $15,000 $& $$",
  ]) {
    expect(findGoalText(raw)).toBe(raw);
  }
});

test("white space alone is bare", () => {
  expect(findGoalText("")).toBeUndefined();
  expect(findGoalText(" \t\r\n")).toBeUndefined();
});
