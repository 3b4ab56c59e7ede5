import { toInstant } from "@loopx/contracts";
import { array, assert, asyncProperty, constantFrom } from "fast-check";
import { expect, test } from "vitest";
import type { CommandLoaders } from "../../src/commands/command-handler.ts";
import { COMMAND_LOADERS } from "../../src/commands/command-loaders.ts";
import { ABOUT_LOADERS } from "../../src/programs/about.ts";
import { EVERY_TURN_LOADERS } from "../../src/programs/every-turn.ts";
import { RECALL_LOADERS } from "../../src/programs/recall.ts";
import { SHOULD_RUN_LOADERS } from "../../src/programs/should-run.ts";
import { guessProgram, type SmallProgram } from "../../src/programs/guess-program.ts";
import { isAble } from "../../src/programs/run-if-able.ts";
import { runCommandLine, type CommandOutcome } from "../../src/run-command-line.ts";

/** The hook's program runs only a line that begins with its word. */
const LOADERS: Readonly<Record<SmallProgram, Partial<CommandLoaders>>> = {
  about: ABOUT_LOADERS,
  "should-run": SHOULD_RUN_LOADERS,
  "every-turn": EVERY_TURN_LOADERS,
  hook: {},
  recall: RECALL_LOADERS,
};

const RECALL = ["decision-context", "recall-context", "--goal-id=G", "--agent-id=A"];

const WORDS = [
  ...["quota", "should-run", "spend", "refresh-state", "todo", "add", "claim", "complete", "list", "status", "x", ""],
  ...["help", "version", "--help", "-h", "--version", "--help=1", "--version=1", "--json", "--format", "json", "text"],
  ...["decision-context", "recall-context", "--profile=/none/p", "--query=x", "--context-scope-ref=codex:s"],
  ...["--project", "--registry", "--project=none", "--goal-id=G", "--goal-id", "--agent-id=A", "--text=x", "--", "-"],
];

test("the program that is guessed answers a line as the whole one does, or leaves it to the whole one", async () => {
  const lines = array(constantFrom(...WORDS), { maxLength: 6 });
  let kept = 0;
  const property = asyncProperty(lines, async (line) => {
    const guess = guessProgram(line);
    if (guess === undefined || guess === "hook" || !isAble(line, LOADERS[guess])) return;
    kept += 1;
    expect(await answer(line, LOADERS[guess])).toEqual(await answer(line, COMMAND_LOADERS));
  });
  await assert(property, {
    numRuns: 2000,
    examples: [
      [["--project", "refresh-state", "--version"]],
      [["todo", "--project", "help"]],
      [["--registry", "--help"]],
      [["--goal-id", "help", "status"]],
      [[...RECALL, "--profile=/none/p", "--query=x", "--context-scope-ref=codex:s"]],
      [[...RECALL, "--profile=/none/p", "--query=x", "--thread-link=codex://threads/new"]],
    ],
  });
  expect(kept).toBeGreaterThan(100);
});

/** Nothing is found where this runs, so each command refuses, and no line writes. */
function answer(argv: readonly string[], loaders: Partial<CommandLoaders>): Promise<CommandOutcome> {
  return runCommandLine(argv, {
    ambient: { now: () => toInstant(0), newId: (prefix) => `${prefix}_0`, env: { LOOPX_HOME: "/none" }, cwd: "/none" },
    facts: { isStdinTerminal: false, isStdoutTerminal: false, isStderrTerminal: false, columns: 80 },
    loaders,
    mayRunChecks: false,
    note: () => undefined,
    onInterrupt: () => undefined,
    untilInterrupted: async () => undefined,
  });
}
