import { displayWidth } from "@loopx/contracts";
import { describe, expect, test } from "vitest";
import { toFlagName } from "../../src/command-line/flag-name.ts";
import { listCommands } from "../../src/command-table/command-table.ts";
import { renderHelp } from "../../src/help/render-help.ts";
import { renderWelcome } from "../../src/help/render-overview.ts";
import { renderReference } from "../../src/help/render-reference.ts";
import { createTextStyle } from "../../src/output/text-style.ts";

const plain = createTextStyle(false, 80);
const visible = listCommands().filter(({ spec }) => !spec.isHidden);

describe("help", () => {
  test("for everything names every command and no hidden one", () => {
    const text = renderHelp("", plain);
    for (const { name } of visible) expect(text).toContain(`\n  ${name}`.concat(name.length > 22 ? "\n" : " "));
    for (const { spec } of visible) expect(text.replaceAll(/\s+/g, " ")).toContain(spec.summary);
    expect(text).not.toContain("__complete");
    expect(text).toContain("--format FORMAT");
  });

  test("for a command shows usage, authority, flags and examples", () => {
    expect(renderHelp("quota spend", plain)).toBe(`loopx quota spend --goal-id GOAL --agent-id AGENT --turn TURN [flags]

Settle a turn against the budget, once.
Agents may call it.

Flags
  --goal-id GOAL              goal to work on, required
  --agent-id AGENT            registered lane you act as, required
  --turn TURN                 turn that should-run opened for you, required
  --todo-id TODO              todo the command is about

Everywhere
  --format FORMAT             json: one document on stdout, also on failure;
                              text: for people (json or text; default text)
  --json                      the same as --format=json
  --project DIR               project root, instead of the nearest one
  --registry FILE             registry.global.json to find goals in
  --quiet                     no notes on stderr
  --verbose                   diagnostics on stderr
  --no-color                  plain text (NO_COLOR and FORCE_COLOR are honoured
                              too)
  --help                      show help and do nothing else; -h is the same
  --version                   show the version and do nothing else

Examples
  loopx quota spend --goal-id importer-goal --agent-id codex-main --turn turn_9k2p4x --todo-id todo_4f1k2m
`);
  });

  test("for an owner's command says who may call it", () => {
    expect(renderHelp("gate decide", plain)).toContain(
      "\nNeeds an owner: a person at a terminal, or an owner token.\n",
    );
    expect(renderHelp("goal budget", plain)).toContain("it needs an owner when a limit is raised or lifted.");
    expect(renderHelp("connect", plain)).toContain("Also: loopx connect.");
  });

  test("for a group lists its commands only", () => {
    expect(renderHelp("quota", plain)).toBe(`loopx quota <command>

  quota should-run  Ask what you may do next, and claim it
  quota spend       Settle a turn against the budget, once
  quota status      Show budget, spent and open turns

loopx quota should-run --help shows flags and examples.
`);
  });

  test("for unknown words is refused with what they may have meant", () => {
    expect(() => renderHelp("todo ad", plain)).toThrow(expect.objectContaining({ code: "unknown_command" }));
  });

  test.each([80, 100, 50])("fits %i columns but for examples, which are never broken", (columns) => {
    const style = createTextStyle(false, columns);
    for (const words of ["", "todo", ...visible.map(({ name }) => name)]) {
      const [text = ""] = renderHelp(words, style).split("\nExamples\n");
      const tooWide = text.split("\n").filter((line) => displayWidth(line) > columns);
      expect(tooWide, words).toEqual([]);
    }
  });

  test("is plain ASCII: measuring anything else costs more than the rest of the page", () => {
    const words = ["", "todo", ...visible.map(({ name }) => name)];
    expect(words.filter((each) => !/^[\n\x20-\x7e]*$/.test(renderHelp(each, plain)))).toEqual([]);
  });

  test("a bare loopx shows three commands that exist", () => {
    expect(renderWelcome(plain)).toBe(`loopx: what may an agent do next, and who decides?

  loopx status            goals, open work and what waits for an owner
  loopx init              set up the project you are in
  loopx --help            every command
`);
  });

  test("the reference has a section for every command with all its flags", () => {
    const sections = renderReference().split("\n### ");
    for (const { name, spec } of visible) {
      const section = sections.find((text) => text.startsWith(`loopx ${name}\n`));
      expect(section, name).toBeDefined();
      for (const key of Object.keys(spec.flags)) expect(section).toContain(`| \`${toFlagName(key)}`);
    }
    expect(renderReference()).toContain(String.raw`--total-turns N\|none`);
  });
});
