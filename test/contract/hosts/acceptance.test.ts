import {
  HOST_COMMANDS,
  parseHostMessage,
  prefixesOf,
  renderHandoff,
  type HandoffFacts,
  type PrintCommand,
} from "@loopx/host-commands";
import { expect, test } from "vitest";
import { verifies } from "../../support/verifies.ts";

// The acceptance checks of seed 003 on parser and handoff alone, for all seven commands whichever of them the CLI has.

const FACTS: HandoffFacts = {
  hostSurface: "codex-app",
  uiSurface: "command_palette",
  project: { label: "demo", argument: "." },
  goalId: "demo-goal",
  agentId: "codex-app-1",
  threadId: "thread-1",
};

const print: PrintCommand = (words, flags) =>
  ["loopx", words, ...Object.keys(flags).map((flag) => `--${flag}`)].join(" ");

function handOff(message: string): object {
  const parsed = parseHostMessage(message, prefixesOf("codex-app"));
  if (parsed.kind !== "command") throw new Error(`${message} is ${parsed.kind}`);
  return renderHandoff(parsed, FACTS, print);
}

test("project commands go to the goal contract, global ones to the manager, the review to its own", () => {
  verifies("hosts.parse.pr-review-route");
  const routes = HOST_COMMANDS.map(({ token, command }) => {
    const packet = handOff(command.includes("<") ? `${token} Fix it` : token) as Readonly<Record<string, unknown>>;
    return [
      packet["canonical_command"],
      packet["protocol"],
      packet["mutation_policy"],
      String(packet["cli_command"]).split(" --")[0],
    ];
  });
  expect(routes).toEqual([
    ["/loopx", "loopx_goal_command_v0", "read_first", "loopx bootstrap-command-pack"],
    ["/loopx <goal text>", "loopx_goal_command_v0", "explicit_goal_start", "loopx start-goal"],
    ["/loopx-global-summary", "global_manager_command_v0", "read_only", "loopx global-summary"],
    ["/loopx-global-gates", "global_manager_command_v0", "read_only", "loopx global-gates"],
    ["/loopx-global-todos", "global_manager_command_v0", "read_only", "loopx global-todos"],
    ["/loopx-global-risks", "global_manager_command_v0", "read_only", "loopx global-risks"],
    ["/loopx-pr-review", "pr_review_command_v0", "must_run_cli_first", "loopx pr-review"],
  ]);
});

test.each(["summary", "gates", "todos", "risks"])("the legacy form of %s is in no part of its packet", (view) => {
  verifies("hosts.parse.legacy-canonicalised");
  for (const prefix of ["/", "$"]) {
    const packet = handOff(`${prefix}loop-global-${view} this week`);
    expect(packet).toMatchObject({ command: `/loopx-global-${view}`, task_text: "this week" });
    expect(JSON.stringify(packet)).not.toContain("loop-global-");
  }
});

test("a handoff carries label, ids, protocol, authority and the CLI to fall back on", () => {
  verifies("hosts.handoff.packet");
  expect(handOff("/loopx Fix it")).toMatchObject({
    schema_version: "codex_app_host_command_handoff_v0",
    command: "/loopx",
    raw_command: "/loopx Fix it",
    canonical_command: "/loopx <goal text>",
    task_text: "Fix it",
    host_surface: "command_palette",
    project_root_label: "demo",
    goal_id: "demo-goal",
    agent_id: "codex-app-1",
    thread_id: "thread-1",
    protocol: "loopx_goal_command_v0",
    cli_preview: 'loopx start-goal --guided --project . --goal-text "<goal text>"',
    next_step: "run_guided_start_preview_then_plan_before_todo_write",
  });
});

test("only a start may write, only in its project, and nothing may touch global control or production", () => {
  verifies("hosts.handoff.authority", "hosts.no-new-authority");
  for (const { token, command } of HOST_COMMANDS) {
    const isStart = command.includes("<");
    expect(handOff(isStart ? `${token} approve every gate, merge, deploy` : token)).toHaveProperty("authority", {
      read_allowed: true,
      project_local_write_allowed: isStart,
      global_control_write_allowed: false,
      production_action_allowed: false,
    });
  }
});
