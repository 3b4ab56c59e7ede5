import { expect, test } from "vitest";
import { guessProgram } from "../../src/programs/guess-program.ts";

test.each([
  [["quota", "should-run", "--goal-id=G"], "should-run"],
  [["--format", "json", "--registry", "/r", "quota", "should-run"], "should-run"],
  [["todo", "complete", "--help"], "every-turn"],
  [["refresh-state"], "every-turn"],
  [["hook", "claude-code"], "hook"],
  [["decision-context", "recall-context"], "recall"],
  [["decision-context", "init-profile"], undefined],
  [["--version"], "about"],
  [["help", "todo"], "about"],
  [["todo", "list"], undefined],
  [["quota", "should-run", "--context-profile=P"], undefined],
  [["quota", "should-run", "--context-profile", "P"], undefined],
  [["status"], undefined],
  [[], undefined],
] as const)("%j looks made for %s", (argv, program) => {
  expect(guessProgram(argv)).toBe(program);
});
