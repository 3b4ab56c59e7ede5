import { findSensitive, parseShellWords } from "@loopx/contracts";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { HandoffFacts } from "../../src/handoff/handoff-facts.ts";
import { parseHostMessage } from "../../src/parsing/parse-host-message.ts";
import { HOST_COMMANDS } from "../../src/registry/host-command.ts";
import { parseThroughShell, textOfFlag } from "../printed-commands.ts";
import { BOUND_SESSION, handOff, handOffWhole } from "./handoff-samples.ts";

const HANDOFF_BUDGET_BYTES = 3072;

const HOSTILE_TEXTS: readonly string[] = [
  `I'm "done" \\ ok`,
  "fix $(touch pwned) and `id`",
  "two\nlines\r\n\ttabbed\n",
  "trailing  ",
  "'; rm -rf . #",
  "''''",
  "--new-peer",
  "-",
  "emoji 😀👨‍👩‍👧 and 日本語 and ／loopx",
  "!history ~ * ? [a-z] {a,b}",
  "<goal text>",
  "\u202eoverride \u200b zero \u00a0 nbsp",
  "\u001b[31mred\u0007",
  "%s %n %d",
  "é".repeat(8 * 1024),
];

describe("the handoff of a task", () => {
  test("carries the seed's fields, the exact argv and the exact line", () => {
    expect(handOff("/loopx design an issue-fix workflow")).toEqual({
      ok: true,
      schema_version: "codex_app_host_command_handoff_v0",
      command: "/loopx",
      raw_command: "/loopx design an issue-fix workflow",
      canonical_command: "/loopx <goal text>",
      task_text: "design an issue-fix workflow",
      task_text_digest: "sha256:f28bd397917aec87bea1fc94be3a48170424eac3b375f06fa26725889ba75deb",
      host_surface: "chat_box",
      project_root_label: "demo",
      goal_id: "demo-goal",
      agent_id: "claude-code-1",
      thread_id: "3f0c2d9e-7c31-4d02-9b6e-2f1c0de9a7b4",
      protocol: "loopx_goal_command_v0",
      mutation_policy: "explicit_goal_start",
      cli_preview: 'loopx start-goal --guided --project . --goal-text "<goal text>"',
      cli_argv: [
        "loopx",
        "start-goal",
        "--guided",
        "--project=.",
        "--goal-text=design an issue-fix workflow",
        "--host-surface=claude-code",
        "--thread-id=3f0c2d9e-7c31-4d02-9b6e-2f1c0de9a7b4",
      ],
      cli_command:
        "loopx start-goal --guided --project=. '--goal-text=design an issue-fix workflow' --host-surface=claude-code --thread-id=3f0c2d9e-7c31-4d02-9b6e-2f1c0de9a7b4",
      authority: {
        read_allowed: true,
        project_local_write_allowed: true,
        global_control_write_allowed: false,
        production_action_allowed: false,
      },
      next_step: "run_guided_start_preview_then_plan_before_todo_write",
    });
  });

  test("says what the text contains, and keeps it as it is", () => {
    expect(handOff("/loopx tidy /home/alice/notes")).toMatchObject({
      task_text: "tidy /home/alice/notes",
      task_text_contains: ["local_path"],
    });
  });

  test("leaves out what is not known", () => {
    const unknown: HandoffFacts = {
      ...BOUND_SESSION,
      hostSurface: undefined,
      goalId: undefined,
      agentId: undefined,
      threadId: undefined,
    };
    const packet = handOffWhole("/loopx fix it", unknown);
    expect(packet.cli_command).toBe("loopx start-goal --guided --project=. '--goal-text=fix it'");
    expect(Object.keys(packet)).not.toEqual(expect.arrayContaining(["goal_id"]));
    expect(Object.keys(packet)).not.toEqual(expect.arrayContaining(["thread_id"]));
  });
});

describe("the handoff of another command", () => {
  test("reads, and allows no write", () => {
    for (const message of HOST_COMMANDS.filter(({ kind }) => kind !== "project_task_start").map(({ token }) => token)) {
      expect(handOff(message)).toMatchObject({
        authority: {
          read_allowed: true,
          project_local_write_allowed: false,
          global_control_write_allowed: false,
          production_action_allowed: false,
        },
      });
    }
  });

  test("runs exactly its target: text behind it never becomes a flag", () => {
    expect(handOff("/loopx")).toMatchObject({ cli_argv: ["loopx", "bootstrap-command-pack", "--project=."] });
    expect(handOff("/loopx-pr-review --execute; rm -rf .")).toMatchObject({
      cli_argv: ["loopx", "pr-review"],
      protocol: "pr_review_command_v0",
      mutation_policy: "must_run_cli_first",
      task_text: "--execute; rm -rf .",
    });
    expect(handOff("/loop-global-risks")).toMatchObject({
      command: "/loopx-global-risks",
      raw_command: "/loopx-global-risks",
      canonical_command: "/loopx-global-risks",
      cli_argv: ["loopx", "global-risks"],
      protocol: "global_manager_command_v0",
    });
  });

  test("needs no project, where a project command gets a setup packet", () => {
    const nowhere: HandoffFacts = { ...BOUND_SESSION, project: undefined, goalId: undefined, agentId: undefined };
    for (const message of ["/loopx", "/loopx fix it"]) {
      expect(handOff(message, nowhere)).toMatchObject({
        schema_version: "loopx_host_command_setup_v0",
        state: "project_not_resolved",
        help_command: "loopx slash-commands",
      });
    }
    expect(handOff("/loopx-global-gates", nowhere)).toMatchObject({ cli_argv: ["loopx", "global-gates"] });
  });
});

describe("whatever the text is", () => {
  const samples = fc
    .sample(fc.string({ unit: "grapheme", minLength: 1 }), 300)
    .filter((text) => parseHostMessage(`/loopx ${text}`, ["/"]).kind === "command" && !/^[ \t\r\n]/.test(text));
  const texts = [...HOSTILE_TEXTS, ...samples];

  test("argv and line give exactly it to the program, through a real shell and our own parser", () => {
    const packets = texts.map((text) => handOffWhole(`/loopx ${text}`));
    const calls = parseThroughShell(packets.map((packet) => packet.cli_command));
    expect(calls.map((call) => textOfFlag(call, "goal-text"))).toEqual(texts);
    for (const [at, packet] of packets.entries()) {
      expect(packet.task_text).toBe(texts[at]);
      expect(packet.cli_argv).toContain(`--goal-text=${texts[at]}`);
      expect(parseShellWords(packet.cli_command)).toEqual(packet.cli_argv);
    }
  });

  test("the rest of the packet stays the same", () => {
    for (const text of texts) expect(withoutText(text)).toEqual(withoutText("fix it"));
  });
});

test("no packet holds a path or a credential outside of the caller's own text, whatever is known", () => {
  const secret = "ghp_0123456789abcdefghijABCDEFGHIJ012345";
  const anything = fc.oneof(
    fc.constantFrom(
      "/home/alice/x",
      String.raw`C:\Users\alice`,
      "../../home/x",
      secret,
      `a-${secret}`,
      "sk-ant-abcdefghijklmnopqrst",
      "demo",
    ),
    fc.string({ unit: "grapheme", minLength: 1 }).filter((text) => !/\0|[\ud800-\udfff]/u.test(text)),
  );
  const maybe = fc.option(anything, { nil: undefined });
  const facts: fc.Arbitrary<HandoffFacts> = fc.record({
    hostSurface: fc.constantFrom("claude-code" as const, undefined),
    uiSurface: fc.constant("chat_box"),
    project: fc.option(fc.record({ label: anything, argument: anything }), { nil: undefined }),
    goalId: maybe,
    agentId: maybe,
    threadId: maybe,
  });
  let masked = 0;
  fc.assert(
    fc.property(fc.constantFrom(...HOST_COMMANDS), facts, (command, known) => {
      const message = command.command.replace("<goal text>", "中文");
      const json = JSON.stringify(handOff(message, known)).replaceAll("中文", "");
      masked += JSON.stringify(known).includes(secret) ? 1 : 0;
      expect(findSensitive(json)).toEqual([]);
    }),
    { numRuns: 1000 },
  );
  expect(masked).toBeGreaterThan(50);
});

test("every handoff keeps its budget without the caller's own text", () => {
  const text = "字".repeat(5000);
  for (const command of HOST_COMMANDS) {
    const packet = handOff(`${command.token} ${text}`, { ...BOUND_SESSION, threadId: "t".repeat(128) });
    const own = JSON.stringify(packet).replaceAll(/字+|t{128}/g, "");
    expect(Buffer.byteLength(own)).toBeLessThanOrEqual(HANDOFF_BUDGET_BYTES);
  }
});

function withoutText(text: string): object {
  const packet = handOffWhole(`/loopx ${text}`);
  const words = packet.cli_argv.filter((word) => !word.startsWith("--goal-text="));
  const texts = ["raw_command", "task_text", "task_text_contains", "task_text_digest", "cli_argv", "cli_command"];
  return { ...Object.fromEntries(Object.entries(packet).filter(([key]) => !texts.includes(key))), words };
}
