import { describe, expect, test } from "vitest";
import type { GuidedStartFacts } from "../../src/guided-start/guided-start-facts.ts";
import type { GatedStartPacket } from "../../src/guided-start/guided-start-packet.ts";
import { renderGuidedStart } from "../../src/guided-start/guided-start.ts";
import { SURFACES } from "../../src/surfaces/surface.ts";
import { parseThroughShell, printCommand } from "../printed-commands.ts";
import { BOUND_START, FIRST_START } from "../guided-start/start-facts.ts";

function gated(facts: GuidedStartFacts): GatedStartPacket {
  return renderGuidedStart(facts, printCommand);
}

/** What a caller runs for a choice: the gate's command and the choice's argument. */
function rerunFlags(command: string, argument: string): Record<string, string | true> {
  const [parsed] = parseThroughShell([`${command} ${argument}`]);
  expect(parsed?.words).toBe("start-goal");
  return Object.fromEntries(parsed?.flags ?? []);
}

describe("the host surface gate", () => {
  const facts: GuidedStartFacts = {
    ...FIRST_START,
    hostSurface: undefined,
    threadId: "t-1",
    goalText: "pay $15,000 <host-surface>",
  };

  test("offers every surface once, and never the legacy name", () => {
    const gate = gated(facts).host_surface_selection_gate;
    expect(gate?.choices.map((choice) => choice.host_surface)).toEqual([
      "codex-app",
      "codex-app-ssh",
      "codex-ide-plugin",
      "codex-cli-tui",
      "claude-code",
      "opencode",
      "cursor-agent",
      "gemini-cli",
      "shell",
      "other-agent",
    ]);
    expect(JSON.stringify(gate)).not.toMatch(/codex-ide["' ]/);
  });

  test("every choice reruns the caller's own command with that surface and nothing else changed", () => {
    const gate = gated(facts).host_surface_selection_gate;
    for (const choice of gate?.choices ?? []) {
      expect(rerunFlags(gate?.rerun_command ?? "", choice.rerun_argument)).toEqual({
        guided: true,
        project: ".",
        "thread-id": "t-1",
        "goal-text": "pay $15,000 <host-surface>",
        "host-surface": choice.host_surface,
      });
    }
  });

  test("with detail every choice is spelled out", () => {
    const choices = gated({ ...facts, includeDetail: true }).host_surface_selection_gate?.choices ?? [];
    const commands = parseThroughShell(choices.map((choice) => choice.rerun_command ?? ""));
    expect(commands.map((command) => command.flags.get("host-surface"))).toEqual(
      SURFACES.map((surface) => surface.hostSurface),
    );
  });

  test("the packet names no lane, no goal and no surface of its own guess", () => {
    const packet = gated(facts);
    expect(packet.host_surface).toBeUndefined();
    expect(packet.goal_id).toBeUndefined();
    expect(packet.agent_id).toBeUndefined();
  });
});

describe("the goal gate", () => {
  const goals = [
    { goalId: "web", objective: "Ship the site", status: "active" },
    { goalId: "cli", objective: "Ship the CLI", status: "paused" },
  ] as const;
  const facts: GuidedStartFacts = { ...BOUND_START, goals };

  test("offers the open goals and a new one", () => {
    const gate = gated(facts).goal_selection_gate;
    expect(gate).toMatchObject({
      state: "selection_required",
      goal_count: 2,
      choices: [
        { goal_id: "web", objective: "Ship the site", status: "active", rerun_argument: "--goal-id=web" },
        { goal_id: "cli", objective: "Ship the CLI", status: "paused", rerun_argument: "--goal-id=cli" },
      ],
      new_goal_choice: { rerun_argument: "--new-goal" },
      list_command: "loopx status",
    });
    expect(rerunFlags(gate?.rerun_command ?? "", "--goal-id=web")).toEqual({
      guided: true,
      project: ".",
      "goal-id": "web",
      "host-surface": "codex-cli-tui",
      "thread-id": "thread-a",
      "goal-text": "Ship a CLI",
    });
  });

  test("drops a wrong id from the rerun command", () => {
    const gate = gated({ ...facts, goalId: "nope" }).goal_selection_gate;
    expect(gate?.state).toBe("unknown_goal");
    expect(gate?.rerun_command).not.toContain("nope");
  });
});

describe("the identity gate", () => {
  test("a thread that is bound to nothing chooses a lane or becomes a new peer", () => {
    const gate = gated({ ...BOUND_START, binding: { status: "missing" } }).identity_selection_gate;
    expect(gate).toMatchObject({
      state: "thread_binding_selection_required",
      activation_allowed: false,
      registered_agent_count: 2,
      choices: [
        { mode: "takeover_existing_agent", agent_id: "codex-cli-1", rerun_argument: "--agent-id=codex-cli-1" },
        { mode: "takeover_existing_agent", agent_id: "codex-cli-2", rerun_argument: "--agent-id=codex-cli-2" },
        { mode: "register_fresh_agent", rerun_argument: "--new-peer" },
      ],
      list_command: "loopx status --goal-id=demo-goal",
    });
    expect(rerunFlags(gate?.rerun_command ?? "", "--new-peer")).toMatchObject({
      "new-peer": true,
      "goal-id": "demo-goal",
      "thread-id": "thread-a",
    });
  });

  test("a new peer on a bound thread keeps its lane or unbinds it first", () => {
    const gate = gated({ ...BOUND_START, newPeer: true }).identity_selection_gate;
    expect(gate?.state).toBe("thread_already_bound");
    expect(gate?.rerun_command).not.toContain("--new-peer");
    expect(gate?.choices).toEqual([
      { mode: "keep_bound_agent", agent_id: "codex-cli-1", rerun_argument: "--agent-id=codex-cli-1" },
      {
        mode: "unbind_thread",
        agent_id: "codex-cli-1",
        first_command:
          "loopx unbind-agent-thread --goal-id=demo-goal --thread-id=thread-a --host-surface=codex-cli-tui --agent-id=codex-cli-1 --execute",
        rerun_argument: "--new-peer",
      },
    ]);
  });

  test("another lane than the bound one is a takeover gate", () => {
    const gate = gated({ ...BOUND_START, agentId: "codex-cli-2" }).identity_selection_gate;
    expect(gate?.state).toBe("thread_bound_to_other_agent");
    expect(gate?.choices[1]).toMatchObject({ mode: "unbind_thread", rerun_argument: "--agent-id=codex-cli-2" });
  });

  test("the rerun of every choice of every gate leads past that gate", () => {
    const unbound: GuidedStartFacts = { ...BOUND_START, binding: { status: "missing" } };
    const starts: readonly GuidedStartFacts[] = [
      unbound,
      { ...unbound, threadId: undefined, binding: { status: "unavailable" } },
      { ...unbound, agentId: "unknown-lane" },
      { ...unbound, agentId: "codex-cli-1", newPeer: true },
      { ...BOUND_START, newPeer: true },
      { ...BOUND_START, agentId: "codex-cli-2" },
    ];
    for (const facts of starts) {
      const gate = gated(facts).identity_selection_gate;
      for (const choice of gate?.choices ?? []) {
        const flags = rerunFlags(gate?.rerun_command ?? "", choice.rerun_argument ?? "");
        const binding = choice.mode === "unbind_thread" ? ({ status: "missing" } as const) : facts.binding;
        const typed = flags["agent-id"];
        const agentId = typed === true ? undefined : typed;
        const again = gated({ ...facts, binding, agentId, newPeer: flags["new-peer"] === true });
        expect(again.guided_transaction.blocked_by).toBeUndefined();
      }
    }
  });
});

describe("a gate with detail", () => {
  test.each<[string, GuidedStartFacts]>([
    ["surface", { ...BOUND_START, hostSurface: undefined }],
    [
      "goal",
      {
        ...BOUND_START,
        goals: [
          { goalId: "a", objective: "A", status: "active" },
          { goalId: "b", objective: "B", status: "active" },
        ],
      },
    ],
    ["identity", { ...BOUND_START, newPeer: true }],
  ])("spells out the %s choices as the command and argument of the compact gate", (_case, facts) => {
    const packet = gated({ ...facts, includeDetail: true });
    const gate = packet.host_surface_selection_gate ?? packet.goal_selection_gate ?? packet.identity_selection_gate;
    const choices = gate?.choices ?? [];
    expect(choices.length).toBeGreaterThan(1);
    for (const choice of choices) {
      expect(choice.rerun_command).toBe(`${gate?.rerun_command ?? ""} ${choice.rerun_argument ?? ""}`);
    }
    expect(gate?.rerun_command).toContain("--include-command-pack-detail");
  });
});
