import * as fc from "fast-check";
import { isLoopxError, toInstant } from "@loopx/contracts";
import { describe, expect, test } from "vitest";
import { parseCommandLine } from "../../src/command-line/parse-command-line.ts";
import { renderFlagValue } from "../../src/command-line/render-flag-value.ts";
import type { FlagSpec } from "../../src/command-table/flag-spec.ts";
import { toArgumentName } from "../../src/mcp/argument-name.ts";
import { listOfferedCommands, type OfferedCommand } from "../../src/mcp/offered-commands.ts";
import { readToolArguments } from "../../src/mcp/read-tool-arguments.ts";

function toolNamed(toolName: string, mayRunChecks = false): OfferedCommand {
  const tool = listOfferedCommands(mayRunChecks).find((one) => one.toolName === toolName);
  if (tool === undefined) throw new Error(`no tool ${toolName}`);
  return tool;
}

function codeOf(toolName: string, given: Readonly<Record<string, unknown>>): string | undefined {
  try {
    readToolArguments(toolNamed(toolName), given);
    return undefined;
  } catch (error) {
    if (isLoopxError(error)) return error.code;
    throw error;
  }
}

describe("a tool's arguments", () => {
  test("become the command line with the same meaning", () => {
    const given = {
      goal_id: "g",
      text: "--json --project=/",
      blocks: ["goal", "agent:a"],
      priority: "P1",
      project: ".",
    };
    expect(readToolArguments(toolNamed("todo_add"), given)).toEqual({
      argv: [
        "todo",
        "add",
        "--goal-id=g",
        "--text=--json --project=/",
        "--blocks=goal",
        "--blocks=agent:a",
        "--priority=P1",
        "--project=.",
      ],
      threadId: undefined,
    });
    expect(readToolArguments(toolNamed("todo_complete"), { no_follow_up: false, thread_id: "thr-1" })).toEqual({
      argv: ["todo", "complete"],
      threadId: "thr-1",
    });
    expect(readToolArguments(toolNamed("quota_should_run"), { thread_id: "thr-1" })).toEqual({
      argv: ["quota", "should-run", "--thread-id=thr-1"],
      threadId: undefined,
    });
  });

  test("arrive at the handler whatever they are: no value becomes a flag or another argument", () => {
    const cases = fc
      // A binding has a test of its own: not every text is taken there.
      .constantFrom(...listOfferedCommands(true).filter(({ flags }) => !Object.hasOwn(flags, "binding")))
      .chain((command) =>
        fc.record({ command: fc.constant(command), values: fc.record(Object.fromEntries(listArbitraries(command))) }),
      );
    let arrivals = 0;
    fc.assert(
      fc.property(cases, ({ command, values }) => {
        const given = Object.fromEntries(
          Object.entries(values).map(([key, value]) => [toArgumentName(key), toJson(command, key, value)]),
        );
        const parsed = parseCommandLine(readToolArguments(command, given).argv);
        // The command may refuse two flags that exclude each other, or a value; it never takes something else for it.
        if (parsed.kind !== "command") return;
        arrivals += 1;
        expect(parsed.command.name).toBe(command.name);
        expect(parsed.command.positionals).toEqual([]);
        for (const [key, value] of Object.entries(values)) expect(parsed.command.flags[key]).toEqual(value);
      }),
      { numRuns: 2000 },
    );
    expect(arrivals).toBeGreaterThan(400);
  });

  test("that no command line can say are refused by their names", () => {
    expect(codeOf("todo_add", { text: "x", bogus: 1 })).toBe("unknown_flag");
    expect(codeOf("todo_add", { "text=x --json": "y" })).toBe("unknown_flag");
    expect(codeOf("todo_add", { __proto__x: "y", constructor: "z" })).toBe("unknown_flag");
    for (const value of [null, 1, true, {}, ["x"]]) expect(codeOf("todo_add", { text: value })).toBe("invalid_value");
    expect(codeOf("todo_add", { text: "x", blocks: "goal" })).toBe("invalid_value");
    expect(codeOf("todo_add", { text: "x", blocks: [1] })).toBe("invalid_value");
    expect(codeOf("todo_complete", { no_follow_up: "yes" })).toBe("invalid_value");
    expect(codeOf("status", { limit: "5" })).toBe("invalid_value");
    expect(codeOf("status", { limit: 1.5 })).toBe("invalid_value");
    expect(codeOf("status", { project: 5 })).toBe("invalid_value");
    expect(codeOf("todo_add", { text: "a\0b" })).toBe("text_not_storable");
    expect(codeOf("todo_add", { text: "a\ud800" })).toBe("text_not_storable");
    expect(codeOf("todo_complete", { thread_id: "../x" })).toBe("invalid_id");
    expect(codeOf("todo_complete", { thread_id: 5 })).toBe("invalid_id");
    for (const binding of ["./desk", "/tmp/desk.json", "desk.json", "../desk", "", "Desk", 5]) {
      expect([binding, codeOf("context_turn", { binding })]).toEqual([binding, "invalid_value"]);
    }
  });

  test("that are withheld are refused for what they are", () => {
    expect(codeOf("goal_budget", { owner_token_file: "token" })).toBe("gate_needs_owner");
    expect(codeOf("todo_add", { text: "x", validation_command: ["true"] })).toBe("check_not_allowed");
    expect(readToolArguments(toolNamed("todo_add", true), { validation_command: ["npm", "test"] }).argv).toContain(
      '--validation-command=["npm","test"]',
    );
  });
});

function listArbitraries({ flags }: OfferedCommand): [string, fc.Arbitrary<unknown>][] {
  return Object.entries(flags).map(([key, flag]) => {
    const value = toArbitrary(flag);
    return [key, flag.type !== "boolean" && flag.repeatable ? fc.array(value, { maxLength: 3 }) : value];
  });
}

const TEXT = fc.string({ unit: "grapheme", minLength: 1, maxLength: 40 }).filter((text) => !text.includes("\0"));

function toArbitrary(flag: FlagSpec): fc.Arbitrary<unknown> {
  switch (flag.type) {
    case "boolean":
      return fc.boolean();
    case "text":
    case "path":
      return fc.oneof(TEXT, fc.constantFrom("--json", "--", "-h", "--project=/", "a=b", "\n", "$(x)"));
    case "id":
      return fc.constantFrom("todo_000000", "turn_000000", "todo_abcdef", "turn_abcdef").filter((id) => fits(flag, id));
    case "choice":
      return fc.constantFrom(...flag.choices);
    case "integer":
      return fc.integer({ min: flag.min, max: flag.max ?? 10_000 });
    case "duration":
      return fc
        .integer({ min: (flag.minMs ?? 1000) / 1000, max: (flag.maxMs ?? 3_600_000) / 1000 })
        .map((s) => s * 1000);
    case "instant":
      return fc.integer({ min: 0, max: 4_000_000_000 }).map((s) => toInstant(s * 1000));
    case "argv":
      return fc.array(TEXT, { minLength: 1, maxLength: 3 });
    default:
      throw new TypeError(`no values for ${JSON.stringify(flag satisfies never)}`);
  }
}

function fits(flag: Extract<FlagSpec, { type: "id" }>, id: string): boolean {
  return flag.names === "turn" ? id.startsWith("turn") : id.startsWith("todo");
}

/** The value as a client writes it. */
function toJson({ flags }: OfferedCommand, key: string, value: unknown): unknown {
  const flag = flags[key];
  return flag?.type === "duration" || flag?.type === "instant" ? renderFlagValue(flag, value) : value;
}
