import * as fc from "fast-check";
import { isLoopxError, parseShellWords } from "@loopx/contracts";
import { HOST_COMMANDS } from "@loopx/host-commands";
import { describe, expect, test } from "vitest";
import { parseCommandLine } from "../../src/command-line/parse-command-line.ts";
import { findCommand } from "../../src/command-table/command-table.ts";
import { listOfferedCommands } from "../../src/mcp/offered-commands.ts";
import { readToolArguments } from "../../src/mcp/read-tool-arguments.ts";
import { listPrompts, renderPrompt } from "../../src/mcp/slash-prompts.ts";

const BUILT = HOST_COMMANDS.filter(({ target }) => findCommand(target) !== undefined);

describe("the prompts", () => {
  test("are the slash commands that this program has, one for each token", () => {
    expect(listPrompts().map(({ name }) => `/${name}`)).toEqual([...new Set(BUILT.map(({ token }) => token))]);
  });

  test("name a call that exists, for every command", () => {
    for (const { token, command } of BUILT) {
      const given: Record<string, string> = command.includes("<") ? { goal_text: "Fix the login" } : {};
      const handoff = readHandoff(renderPrompt(token.slice(1), given));
      expect(handoff.canonical_command).toBe(command);
      expect(canBeRun(handoff), command).toBe(true);
    }
  });

  test("hand over the user's text exactly, and white space alone is bare", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        const isBare = /^[ \t\r\n]*$/.test(text);
        // Other white space alone is a text with nothing in it, which no goal can have.
        fc.pre(!text.includes("\0") && (isBare || !/^[\s\p{Cf}]*$/u.test(text)));
        const handoff = readHandoff(renderPrompt("loopx", { goal_text: text }));
        expect(handoff.tool).toBe(isBare ? "bootstrap_command_pack" : "start_goal");
        expect(handoff.arguments).toEqual(isBare ? {} : { guided: true, goal_text: text });
      }),
    );
  });

  test("refuse another name, argument or text that cannot be stored", () => {
    expect(codeOf(() => renderPrompt("loopx-globl", {}))).toBe("unknown_command");
    expect(codeOf(() => renderPrompt("constructor", {}))).toBe("unknown_command");
    expect(codeOf(() => renderPrompt("loopx", { other: "x" }))).toBe("unknown_flag");
    expect(codeOf(() => renderPrompt("loopx", { goal_text: "a\0" }))).toBe("text_not_storable");
  });
});

interface Handoff {
  readonly canonical_command: string;
  readonly tool?: string;
  readonly arguments?: Readonly<Record<string, unknown>>;
  readonly cli_command?: string;
}

/** The document stands on the one line after the sentence. */
function readHandoff(prompt: string): Handoff {
  return JSON.parse(prompt.slice(prompt.indexOf("\n") + 1)) as Handoff;
}

function canBeRun({ tool, arguments: given = {}, cli_command: line }: Handoff): boolean {
  if (line !== undefined) return parseCommandLine(parseShellWords(line).slice(1)).kind === "command";
  const command = listOfferedCommands(false).find(({ toolName }) => toolName === tool);
  return command !== undefined && parseCommandLine(readToolArguments(command, given).argv).kind === "command";
}

function codeOf(attempt: () => unknown): string | undefined {
  try {
    attempt();
    return undefined;
  } catch (error) {
    if (isLoopxError(error)) return error.code;
    throw error;
  }
}
