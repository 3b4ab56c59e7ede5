import { describe, expect, test } from "vitest";
import { renderTaskBody } from "../../src/activation/task-body.ts";
import type { OnboardingFacts } from "../../src/onboarding/onboarding-packet.ts";
import { renderOnboardingText } from "../../src/onboarding/onboarding-text.ts";
import { renderOnboarding } from "../../src/onboarding/render-onboarding.ts";
import { SURFACES } from "../../src/surfaces/surface.ts";
import { BOUND_START, FIRST_START } from "../guided-start/start-facts.ts";
import { parseThroughShell, printCommand } from "../printed-commands.ts";

const FIRST: OnboardingFacts = { ...FIRST_START, hostSurface: "codex-cli-tui", loopDriver: undefined };
const BOUND: OnboardingFacts = { ...BOUND_START, hostSurface: "codex-cli-tui", loopDriver: undefined };
const LONE: OnboardingFacts = {
  ...BOUND,
  threadId: undefined,
  binding: { status: "unavailable" },
  registeredAgents: ["bot-1"],
  agentId: "bot-1",
};
const OPEN = { objective: "Ship", status: "active" } as const;

describe("what comes before a loop", () => {
  test.each<[string, OnboardingFacts, string, string]>([
    ["no project root", { ...FIRST, connection: "project_not_resolved" }, "project_setup", ""],
    ["no connection", FIRST, "project_not_connected", "loopx start-goal --guided --project=."],
    ["no open goal", { ...LONE, goals: [], agentId: undefined }, "project_not_connected", "loopx start-goal --guided"],
    [
      "two goals",
      {
        ...LONE,
        goals: [
          { goalId: "one", ...OPEN },
          { goalId: "two", ...OPEN },
        ],
      },
      "goal_selection",
      "loopx agent-onboard --agent-type=codex-cli --goal-id=one",
    ],
    [
      "no lane",
      { ...LONE, registeredAgents: [], agentId: undefined },
      "agent_registration",
      "loopx register-agent --goal-id=demo-goal --agent-id=codex-cli-1 --require-new --execute",
    ],
    [
      "lanes, and none named",
      { ...LONE, agentId: undefined },
      "agent_identity_selection",
      "loopx agent-onboard --agent-type=codex-cli --goal-id=demo-goal --agent-id=bot-1",
    ],
    [
      "a lane that is another thread's",
      { ...BOUND, agentId: "codex-cli-2" },
      "agent_identity_selection",
      "loopx agent-onboard --agent-type=codex-cli --thread-id=thread-a --goal-id=demo-goal --agent-id=codex-cli-1",
    ],
    [
      "a thread without a binding",
      { ...BOUND, binding: { status: "missing" }, agentId: "codex-cli-2" },
      "thread_binding",
      "loopx bind-agent-thread --goal-id=demo-goal --thread-id=thread-a",
    ],
    [
      "an agent without a declared driver",
      { ...LONE, hostSurface: "other-agent" },
      "loop_driver",
      "loopx agent-onboard --agent-type=other-agent '--loop-driver=<what wakes the agent>' --goal-id=demo-goal",
    ],
  ])("%s", (_case, facts, blockedBy, first) => {
    const packet = renderOnboarding(facts, printCommand);
    expect(packet).toMatchObject({ ok: true, blocked_by: blockedBy });
    expect(packet.activation).toBeUndefined();
    expect((packet.next.flat()[0] ?? "").slice(0, first.length)).toBe(first);
    expect(packet.host_loop_activation.host_surface).toBe(facts.hostSurface);
    expect(renderOnboardingText(packet)).toContain(packet.reason);
  });

  test("a lane is never picked: taking one over and joining as a new one are the reader's choice", () => {
    const packet = renderOnboarding({ ...LONE, agentId: undefined, registeredAgents: ["a", "b"] }, printCommand);
    expect(packet.next).toEqual([
      [
        "loopx agent-onboard --agent-type=codex-cli --goal-id=demo-goal --agent-id=a",
        "loopx agent-onboard --agent-type=codex-cli --goal-id=demo-goal --agent-id=b",
        "loopx register-agent --goal-id=demo-goal --agent-id=codex-cli-1 --require-new --execute",
      ],
    ]);
  });
});

describe("a settled lane", () => {
  test.each(SURFACES.map(({ hostSurface }) => hostSurface))("on %s gets its commands", (hostSurface) => {
    const packet = renderOnboarding({ ...LONE, hostSurface, loopDriver: "cron, every 10 minutes" }, printCommand);
    expect(packet.blocked_by).toBeUndefined();
    expect(packet.activation?.state).toBe("missing");
    expect(packet.next).toEqual([packet.activation?.heartbeat_command]);
    const printed = [packet.activation?.heartbeat_command, packet.activation?.record_command].map(String);
    expect(parseThroughShell(printed).map(({ words }) => words)).toEqual(["heartbeat-prompt", "agent-onboard"]);
    expect(Buffer.byteLength(JSON.stringify(packet))).toBeLessThanOrEqual(4096);
    expect(renderOnboardingText(packet)).toMatch(/Next:\n {4}loopx heartbeat-prompt/);
  });

  test("with the longest ids stays within the budget", () => {
    const [goalId, agentId, threadId] = ["g".repeat(80), "a".repeat(80), "t".repeat(128)];
    for (const { hostSurface } of SURFACES) {
      const facts: OnboardingFacts = {
        ...LONE,
        hostSurface,
        goals: [{ goalId, ...OPEN }],
        registeredAgents: [agentId],
        agentId,
        threadId,
        loopDriver: "cron",
        binding: { status: "bound", agentId, isVerified: true },
      };
      const packet = renderOnboarding(facts, printCommand);
      expect(packet.activation?.state).toBe("missing");
      expect(Buffer.byteLength(JSON.stringify(packet))).toBeLessThanOrEqual(4096);
    }
  });

  test("of an agent that declares its driver keeps it, once it is on record", () => {
    const target = { goalId: "demo-goal", agentId: "bot-1", threadId: undefined };
    const record = {
      ...target,
      hostSurface: "other-agent",
      loopDriver: "systemd timer",
      taskBodyDigest: renderTaskBody("other-agent", target, printCommand).digest,
      recordedAt: "2026-11-30T12:00:00.000Z",
    };
    const packet = renderOnboarding({ ...LONE, hostSurface: "other-agent", activations: [record] }, printCommand);
    expect(packet.activation).toMatchObject({ state: "current", loop_driver: "systemd timer" });
    expect(packet.next).toEqual(["loopx quota should-run --goal-id=demo-goal --agent-id=bot-1"]);
    const moved = renderOnboarding({ ...LONE, hostSurface: "opencode", activations: [record] }, printCommand);
    expect(moved.activation).toMatchObject({ state: "stale", recorded_surface: "other-agent" });
  });
});

describe("the onboarding for people", () => {
  test.each(SURFACES.map(({ hostSurface }) => hostSurface))(
    "says %s in words, not by the packet's keys",
    (hostSurface) => {
      for (const facts of [
        { ...FIRST, hostSurface },
        { ...LONE, hostSurface, loopDriver: "cron" },
      ]) {
        const words = renderOnboardingText(renderOnboarding(facts, printCommand)).replaceAll(/^ .*loopx .*$/gm, "");
        expect(words.match(/\b[a-z]+_[a-z_]+\b/g) ?? []).toEqual([]);
      }
    },
  );

  test("of an unsettled lane says when its commands come, and what to ask", () => {
    const text = renderOnboardingText(renderOnboarding({ ...FIRST, hostSurface: "other-agent" }, printCommand));
    expect(text).toMatch(/^Onboarding an agent of type other-agent\n/);
    expect(text).toContain("  1. Take the task body from loopx heartbeat-prompt.\n  2. Declare with --loop-driver");
    expect(text).toContain("\nIts commands follow once project, goal and agent are settled.\n");
    expect(text).toContain("The project is not connected yet. Ask the user for the task.\nNext:");
  });
});
