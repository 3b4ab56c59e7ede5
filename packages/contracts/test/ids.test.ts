import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  parseAgentId,
  parseGoalId,
  parseProjectId,
  parseThreadId,
  parseTodoId,
  parseTurnId,
  toGoalIdFromName,
} from "../src/ids.ts";
import { isLoopxError } from "../src/loopx-error.ts";
import { refusalOf } from "./refusal-of.ts";

const PARSERS = [parseGoalId, parseAgentId, parseThreadId, parseTodoId, parseTurnId, parseProjectId];

describe("every id", () => {
  const bad = [
    ["", " ", "\t", "null", "NULL", "undefined", "Undefined", "a b", " a", "a\n", "a\u00a0b", "a\0b", "a\u001bb"],
    ["a/b", "../../x", "..", "a..b", "a\\b", 'a"b', "a'b", "a`b", "con", "CON", "nul.txt", "nul.", "prn:x", "com1"],
    ["lpt9.log", "aux", "a.", "x".repeat(129), "a\ud800", "a\u202eb", "a\u200bb"],
    [undefined, null, 7, {}, ["a"]],
  ].flat();
  test.each(bad)("refuses %j", (value) => {
    for (const parse of PARSERS) expect(refusalOf(() => parse(value))).toBe("invalid_id");
  });

  test("is refused with the field, what is accepted, and no word of the input", () => {
    const error = captureError(() => parseGoalId("../../etc/hunter2", "--goal-id"));
    expect(error).toMatchObject({
      code: "invalid_id",
      message: "--goal-id holds a slash or a quote",
      hint: "--goal-id takes 1 to 80 of a-z 0-9 . _ - beginning with a letter or digit",
      details: { field: "--goal-id" },
    });
    expect(JSON.stringify(error)).not.toContain("hunter2");
  });
});

test.each([
  [parseGoalId, ["my-repo-goal", "9", "a.b_c-d", "null-goal", "console", "x".repeat(80)]],
  [parseAgentId, ["cc-main", "codex.a@host:1", "a", "x".repeat(80)]],
  [parseThreadId, ["0199-ABCdef", "thr_1:2", "線", "!#$%&()*+,;<=>?@[]^_{|}~", "x".repeat(128)]],
  [parseTodoId, ["todo_abc123", "todo_983720971397", `todo_${"a".repeat(40)}`]],
  [parseTurnId, ["turn_abc123"]],
  [parseProjectId, ["project_abc123"]],
])("%o takes its own form", (parse, accepted) => {
  for (const value of accepted) expect(parse(value)).toBe(value);
});

test.each([
  [parseGoalId, ["My-Goal", "-a", ".a", "_a", "a:b", "a@b", "é", "x".repeat(81)]],
  [parseAgentId, ["Agent", "9a", "-a", "a+b", "x".repeat(81)]],
  [parseTodoId, ["todo_", "todo_abc", "TODO_abc123", "todo_ABC123", "turn_abc123", "todo_abc-123"]],
  [parseTurnId, ["todo_abc123", "turn_abc12"]],
  [parseProjectId, ["project-abc123"]],
])("%o refuses what is not its form", (parse, refused) => {
  for (const value of refused) expect(refusalOf(() => parse(value))).toBe("invalid_id");
});

describe("toGoalIdFromName", () => {
  test.each([
    ["My Repo 项目", "my-repo"],
    ["项目", "project"],
    ["", "project"],
    ["...", "project"],
    ["Café_App.js", "cafe_app-js"],
    ["--x--", "x"],
    ["con.txt", "con-txt"],
    ["İstanbul", "istanbul"],
    ["a".repeat(300), "a".repeat(64)],
  ])("turns %j into %s", (name, stem) => {
    expect(toGoalIdFromName(name)).toBe(stem);
  });

  test("gives a stem whose default goal id is valid, whatever the name", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (name) => {
        const goalId = `${toGoalIdFromName(name)}-goal`;
        expect(parseGoalId(goalId)).toBe(goalId);
        expect(parseGoalId(`${goalId}-a1b2`)).toBe(`${goalId}-a1b2`);
      }),
    );
  });
});

function captureError(call: () => unknown): unknown {
  try {
    call();
  } catch (error) {
    if (isLoopxError(error)) {
      const { code, message, hint, details } = error;
      return { code, message, hint, details };
    }
  }
  throw new Error("the call was not refused");
}
