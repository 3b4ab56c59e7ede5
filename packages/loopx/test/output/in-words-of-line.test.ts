import { LoopxError } from "@loopx/contracts";
import { expect, test } from "vitest";
import { parseCommandLine } from "../../src/command-line/parse-command-line.ts";
import { inWordsOfLine } from "../../src/output/in-words-of-line.ts";

const COMPLETE = parseCommandLine(["todo", "complete", "--todo-id=todo_4f1k2m", "--next-todo=<what follows>"]);

test("a field is called by the flag it was given with", () => {
  const message = "next_todo is a placeholder: put your own words in its place";
  const error = new LoopxError("invalid_value", { message, details: { field: "next_todo" } });
  expect(inWordsOfLine(error, COMPLETE)).toMatchObject({
    code: "invalid_value",
    message: "--next-todo is a placeholder: put your own words in its place",
    hint: "loopx todo complete --help",
    details: { field: "next_todo" },
  });
});

test("a field that is no flag of the command, and a message that begins otherwise, stay as they are", () => {
  const errors = [
    new LoopxError("invalid_value", { message: "writer is malformed", hint: "x", details: { field: "writer" } }),
    new LoopxError("invalid_value", { message: "the evidence is odd", hint: "x", details: { field: "evidence" } }),
  ];
  for (const error of errors) expect(inWordsOfLine(error, COMPLETE)).toMatchObject({ message: error.message });
});

test("what a rule says to do next stays, and is found by the code where it says nothing", () => {
  const said = new LoopxError("store_failed", { message: "no", hint: "loopx restore" });
  expect(inWordsOfLine(said, COMPLETE)).toBe(said);
  expect(inWordsOfLine(new LoopxError("store_failed", { message: "no" }), COMPLETE)).toMatchObject({
    hint: "loopx doctor",
  });
});

test.each([
  [["todo", "add", "--text="], "loopx todo add --help"],
  [
    ["quota", "spend", "--goal-id=g", "--agent-id=a", "--turn=turn_abcdef", "--turn=turn_abcdef"],
    "loopx quota spend --help",
  ],
  [["--format=yaml"], "loopx --help"],
])("a line that is refused leads to the help of its command: %j", (argv, hint) => {
  expect(parseCommandLine(argv)).toMatchObject({ kind: "refused", error: { hint } });
});
