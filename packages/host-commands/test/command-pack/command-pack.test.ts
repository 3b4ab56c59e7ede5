import { describe, expect, test } from "vitest";
import type { CommandPackFacts } from "../../src/command-pack/command-pack-facts.ts";
import { renderCommandPackText } from "../../src/command-pack/command-pack-text.ts";
import { renderCommandPack } from "../../src/command-pack/command-pack.ts";
import { parseThroughShell, printCommand } from "../printed-commands.ts";

const UNCONNECTED: CommandPackFacts = {
  projectAsTyped: ".",
  projectRootLabel: "demo",
  connection: "not_connected",
  repairCommand: undefined,
  goals: [],
  performedEffects: [],
  goalId: undefined,
  agentId: undefined,
  threadId: undefined,
  hostSurface: undefined,
  registeredAgents: [],
  binding: { status: "unavailable" },
  activations: [],
  newPeer: false,
  goalText: undefined,
  followedWorktreeToLabel: undefined,
};
const CONNECTED: CommandPackFacts = {
  ...UNCONNECTED,
  connection: "connected",
  goals: [{ goalId: "demo-goal", objective: "Ship it", status: "active" }],
  registeredAgents: ["lane-1"],
};

function pack(facts: CommandPackFacts) {
  return renderCommandPack(facts, printCommand);
}

describe("bare /loopx", () => {
  test("in an unconnected project previews and asks before anything is written", () => {
    expect(pack(UNCONNECTED)).toEqual({
      ok: true,
      schema_version: "loopx_bootstrap_command_pack_v0",
      read_only: true,
      slash_command: "/loopx",
      slash_forms: ["/loopx", "/loopx <goal text>"],
      canonical_cli_command: "loopx bootstrap-command-pack --project=.",
      project_root_label: "demo",
      connection: "not_connected",
      goal_count: 0,
      goals: [],
      identity: { state: "project_not_connected", activation_allowed: false, registered_agent_count: 0 },
      recommended_next_step: {
        kind: "confirm_before_bootstrap_mutation",
        requires_user_confirmation: true,
        command: "loopx start-goal --guided --project=. '--goal-text=<goal text>'",
        help: "Ask the user what the goal is; this preview then shows the connection before it is made.",
      },
      safety_contract: {
        writes_registry: false,
        writes_state_file: false,
        creates_heartbeat: false,
        spends_quota: false,
        mutation_commands_are_previewed: false,
      },
    });
  });

  test.each<[string, CommandPackFacts, string, string]>([
    ["no lanes yet", { ...CONNECTED, registeredAgents: [] }, "goal_plan_write_and_activate", "start-goal"],
    ["a lane has to be chosen", CONNECTED, "select_agent_identity", "goal show"],
    [
      "a bound thread",
      { ...CONNECTED, threadId: "t", binding: { status: "bound", agentId: "lane-1", isVerified: true } },
      "status_and_loop_activation",
      "status",
    ],
    [
      "several goals",
      { ...CONNECTED, goals: [...CONNECTED.goals, { goalId: "b", objective: "B", status: "paused" }] },
      "select_goal",
      "status",
    ],
    [
      "only closed goals",
      { ...CONNECTED, goals: [{ goalId: "b", objective: "B", status: "stopped" }] },
      "goal_plan_write_and_activate",
      "start-goal",
    ],
  ])("%s", (_case, facts, kind, words) => {
    const next = pack(facts).recommended_next_step;
    expect(next.kind).toBe(kind);
    expect(parseThroughShell([next.command ?? ""])[0]?.words).toBe(words);
  });

  test("without a project root is a setup help without a command that writes", () => {
    const packet = pack({ ...UNCONNECTED, connection: "project_not_resolved", projectRootLabel: undefined });
    expect(packet).toMatchObject({
      connection: "project_not_resolved",
      project_gate: { state: "project_not_resolved" },
      recommended_next_step: { kind: "set_up_project", requires_user_confirmation: true },
    });
    expect(packet.recommended_next_step.command).toBeUndefined();
  });

  test("says when it followed a linked worktree to its registered source", () => {
    const packet = pack({ ...CONNECTED, followedWorktreeToLabel: "demo-main" });
    expect(packet.followed_worktree_to_label).toBe("demo-main");
    expect(renderCommandPackText(packet)).toContain("demo-main");
  });
});

describe("/loopx with a task text", () => {
  test("recommends the guided start that carries the exact text", () => {
    const goalText = "I'm $(done) & 好\n";
    const next = pack({ ...CONNECTED, goalText, hostSurface: "claude-code" }).recommended_next_step;
    expect(next.kind).toBe("goal_plan_write_and_activate");
    const [command] = parseThroughShell([next.command ?? ""]);
    expect(command?.flags.get("goal-text")).toBe(goalText);
    expect(command?.flags.get("host-surface")).toBe("claude-code");
  });

  test("asks for the surface first when none is known", () => {
    expect(pack({ ...CONNECTED, goalText: "x" }).recommended_next_step.kind).toBe("select_host_surface");
  });
});

test("a pack of 200 goals stays compact and says how many there are", () => {
  const goals = Array.from({ length: 200 }, (_, index) => ({
    goalId: `goal-${index}`,
    objective: "o".repeat(500),
    status: "active" as const,
  }));
  const packet = pack({ ...CONNECTED, goals });
  expect(Buffer.byteLength(JSON.stringify(packet))).toBeLessThanOrEqual(2048);
  expect(packet.goal_count).toBe(200);
});

test("the text for people ends with the next step", () => {
  expect(renderCommandPackText(pack(CONNECTED)).split("\n")).toEqual([
    "LoopX project",
    "  project          demo",
    "  connection       connected",
    "  agent            to be chosen",
    "  lanes            1",
    "  active state id  demo-goal (active): Ship it",
    "",
    "Next: choose an agent",
    "It lists the goal's agents: go on with --agent-id=AGENT of one of them, or take part as a new one with --new-peer.",
    "loopx goal show --goal-id=demo-goal",
  ]);
});
