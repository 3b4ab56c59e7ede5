import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { GuidedStartFacts } from "../../src/guided-start/guided-start-facts.ts";
import { renderGuidedStart } from "../../src/guided-start/guided-start.ts";
import { parseThroughShell, printCommand } from "../printed-commands.ts";
import { BOUND_START, FIRST_START } from "./start-facts.ts";

const TEXTS: readonly string[] = [
  `I'm "done" \\ ok`,
  "fix $(touch /tmp/pwned) and `id`",
  "pay $15,000 $& $$ $1 $` $'",
  "two\nlines\r\n\ttabbed\n",
  "  leading and trailing  ",
  "'; rm -rf / #",
  "''''",
  "--agent-id=evil --new-peer",
  "-",
  "--",
  "emoji 😀👨‍👩‍👧 and 日本語 and ／loopx",
  "C:\\new\\users and /home/alice/x",
  "!history ~ * ? [a-z] {a,b}",
  "<host-surface> <agent-id> <turn>",
  "\u202eoverride \u200b zero \u00a0 nbsp",
  "\u001b[31mred",
  "%s %n %d",
  "é".repeat(8 * 1024),
];

const gated: GuidedStartFacts = { ...FIRST_START, hostSurface: undefined };

/** Every command of a packet that carries the task text. */
function commandsWithText(facts: GuidedStartFacts): readonly string[] {
  const packet = renderGuidedStart(facts, printCommand);
  const steps = packet.guided_transaction.ordered_steps.map((step) => step.command ?? "");
  if ("host_activation" in packet) {
    return [...steps.filter((command) => command.includes("--objective=")), packet.detail_command];
  }
  return [packet.host_surface_selection_gate?.rerun_command ?? ""];
}

function textOf(flags: ReadonlyMap<string, string | true>): string | true | undefined {
  return flags.get("objective") ?? flags.get("goal-text");
}

test("every printed command hands the exact task text to the program, whatever it holds", () => {
  const samples = [...TEXTS, ...fc.sample(fc.string({ unit: "grapheme", minLength: 1 }).filter(isStorable), 200)];
  const expected: string[] = [];
  const commands: string[] = [];
  for (const goalText of samples) {
    for (const facts of [FIRST_START, BOUND_START, gated]) {
      const carrying = commandsWithText({ ...facts, goalText });
      commands.push(...carrying);
      expected.push(...carrying.map(() => goalText));
    }
  }
  const calls = parseThroughShell(commands);
  expect(calls.map(({ flags }) => textOf(flags))).toEqual(expected);
  for (const { flags } of calls) expect(flags.has("new-peer")).toBe(false);
});

test("the packet's own field holds the exact task text", () => {
  for (const goalText of TEXTS) {
    const json = JSON.stringify(renderGuidedStart({ ...FIRST_START, goalText }, printCommand));
    expect(JSON.parse(json)).toMatchObject({ goal_text: goalText });
  }
});

test("the check can fail: a naive quoting is caught", () => {
  const naive = `loopx start-goal "--goal-text=pay $15 now"`;
  expect(textOf(parseThroughShell([naive])[0]?.flags ?? new Map())).not.toBe("pay $15 now");
});

function isStorable(text: string): boolean {
  return !/\0|[\ud800-\udfff]/u.test(text);
}
