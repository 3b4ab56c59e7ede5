import { describe, expect, test } from "vitest";
import { renderActivation } from "../../src/activation/activation.ts";
import { CODEX_SURFACES, SURFACES, type HostSurface } from "../../src/surfaces/surface.ts";
import { parseThroughShell, printCommand } from "../printed-commands.ts";

const TARGET = { goalId: "demo-goal", agentId: "lane-1", threadId: "019a2f4e-7c31-7d02-9b6e-2f1c0de9a7b4" };
const ALL: readonly HostSurface[] = SURFACES.map((surface) => surface.hostSurface);

describe("the task body", () => {
  test.each(ALL)("of %s is thin", (hostSurface) => {
    const longIds = { goalId: "g".repeat(40), agentId: "a".repeat(40), threadId: "t".repeat(40) };
    expect(renderActivation(hostSurface, longIds, printCommand).task_body.length).toBeLessThanOrEqual(1900);
    const longestIds = { goalId: "g".repeat(80), agentId: "a".repeat(80), threadId: "t".repeat(128) };
    expect(renderActivation(hostSurface, longestIds, printCommand).task_body.length).toBeLessThan(4000);
  });

  test.each(ALL)("of %s runs one guarded turn with its own ids", (hostSurface) => {
    const body = renderActivation(hostSurface, TARGET, printCommand).task_body;
    const commands = parseThroughShell([...body.matchAll(/loopx .*$/gm)].map((match) => match[0]));
    expect(commands.map((command) => command.words)).toEqual(["quota should-run"]);
    for (const { flags } of commands) {
      expect(flags.get("goal-id")).toBe("demo-goal");
      expect(flags.get("agent-id")).toBe("lane-1");
    }
    expect(commands[0]?.flags.get("thread-id")).toBe(TARGET.threadId);
    expect(body).toMatch(/returned todo only/);
    expect(body).toMatch(/refresh-state.*todo complete.*quota spend/);
    expect(body).toMatch(/Never decide your own gate/);
    expect(body).toMatch(/decision done/);
  });

  test("carries no thread where the host has none", () => {
    const body = renderActivation("shell", { ...TARGET, threadId: undefined }, printCommand).task_body;
    expect(body).not.toContain("--thread-id");
  });
});

describe("the words of a host", () => {
  test.each(ALL.filter((hostSurface) => !CODEX_SURFACES.includes(hostSurface)))(
    "%s hears nothing of Codex",
    (hostSurface) => {
      expect(JSON.stringify(renderActivation(hostSurface, TARGET, printCommand))).not.toMatch(
        /codex|automation|RRULE|\/goal\b|heartbeat/i,
      );
    },
  );

  test.each(ALL)("%s is plain English", (hostSurface) => {
    expect(JSON.stringify(renderActivation(hostSurface, TARGET, printCommand))).toMatch(/^[\x20-\x7e]*$/);
  });

  test.each(ALL)("%s never lets a missing tool pass for a running loop", (hostSurface) => {
    expect(renderActivation(hostSurface, TARGET, printCommand).missing_host_tool_gate).toMatch(
      /No loop runs|claim no autonomy|no loop is declared|no loop\./,
    );
  });

  test.each<[HostSurface, string]>([
    ["codex-app", "Create or update this task's heartbeat automation with task_body, first interval 3 minutes."],
    ["codex-app-ssh", "In the visible task, set /goal followed by task_body."],
    ["codex-ide-plugin", "In the visible task, set /goal followed by task_body."],
    ["codex-cli-tui", "In the visible task, set /goal followed by task_body."],
    ["claude-code", "Run /loop followed by task_body."],
    ["opencode", "Take task_body as this session's objective."],
    ["shell", "Give task_body to the scheduler or operator that starts the agent."],
    ["other-agent", "Declare what drives the loop."],
  ])("%s begins with its own means", (hostSurface, first) => {
    expect(renderActivation(hostSurface, TARGET, printCommand).steps[0]).toBe(first);
  });
});
