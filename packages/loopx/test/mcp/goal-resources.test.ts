import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseCommandLine } from "../../src/command-line/parse-command-line.ts";
import {
  findResourceCommand,
  listFixedResources,
  listResourceTemplates,
  toGoalResource,
} from "../../src/mcp/goal-resources.ts";

describe("a resource", () => {
  test("is read by the command that shows the same", () => {
    expect(findResourceCommand("loopx://goal/importer-goal")).toEqual(["goal", "show", "--goal-id=importer-goal"]);
    expect(findResourceCommand("loopx://goal/importer-goal/todos")).toEqual([
      "todo",
      "list",
      "--goal-id=importer-goal",
    ]);
    expect(findResourceCommand(toGoalResource("importer-goal").uri)).toEqual([
      "goal",
      "show",
      "--goal-id=importer-goal",
    ]);
    for (const { uri } of listFixedResources()) expect(parses(findResourceCommand(uri))).toBe(true);
    for (const { uriTemplate } of listResourceTemplates()) {
      expect(parses(findResourceCommand(uriTemplate.replace("{goal_id}", "g-1"))), uriTemplate).toBe(true);
    }
  });

  test.each([
    "",
    "loopx://goal/",
    "loopx://goal/../../etc/passwd",
    "loopx://goal/a/../b",
    "loopx://goal/%2e%2e%2fx",
    "loopx://goal/a%00b",
    "loopx://goal/%",
    "loopx://goal/a b",
    "loopx://goal/g/constructor",
    "loopx://goal/g/todos/",
    "loopx://goal/g?x=1",
    "loopx://goal/g#x",
    "LOOPX://goal/g",
    "file:///etc/passwd",
    "loopx://goal/null",
    "loopx://goal/--json",
    " loopx://goal/g",
  ])("is none of ours: %j", (uri) => {
    const command = findResourceCommand(uri);
    // An id may begin with dashes; it is still one value.
    expect(command?.at(-1) ?? "--goal-id=").toMatch(/^--goal-id=/);
    if (uri !== "loopx://goal/--json") expect(command).toBeUndefined();
  });

  test("reads one goal or nothing, whatever the URI", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 60 }), (rest) => {
        const command = findResourceCommand(`loopx://goal/${rest}`);
        return (
          command === undefined || (command.filter((word) => word.startsWith("--")).length === 1 && parses(command))
        );
      }),
    );
  });
});

function parses(argv: readonly string[] | undefined): boolean {
  return argv !== undefined && parseCommandLine(argv).kind === "command";
}
