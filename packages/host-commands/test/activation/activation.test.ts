import { describe, expect, test } from "vitest";
import { renderActivationCommands, renderActivationContract } from "../../src/activation/activation-contract.ts";
import { checkRecordedActivation, type RecordedActivation } from "../../src/activation/activation-state.ts";
import { renderActivation, type HostActivation } from "../../src/activation/activation.ts";
import { renderHeartbeatPrompt } from "../../src/activation/heartbeat-prompt.ts";
import { renderTaskBody, type ActivationTarget } from "../../src/activation/task-body.ts";
import { CODEX_SURFACES, SURFACES, type HostSurface } from "../../src/surfaces/surface.ts";
import { parseThroughShell, printCommand } from "../printed-commands.ts";

const TARGET = { goalId: "demo-goal", agentId: "lane-1", threadId: "019a2f4e-7c31-7d02-9b6e-2f1c0de9a7b4" };
const ALL: readonly HostSurface[] = SURFACES.map((surface) => surface.hostSurface);

function activate(hostSurface: HostSurface, target: ActivationTarget, record?: RecordedActivation): HostActivation {
  return renderActivation({ hostSurface, target, record }, printCommand);
}

describe("the task body", () => {
  test.each(ALL)("of %s is thin", (hostSurface) => {
    const longIds = { goalId: "g".repeat(40), agentId: "a".repeat(40), threadId: "t".repeat(40) };
    expect(activate(hostSurface, longIds).task_body.length).toBeLessThanOrEqual(1900);
    const longestIds = { goalId: "g".repeat(80), agentId: "a".repeat(80), threadId: "t".repeat(128) };
    expect(activate(hostSurface, longestIds).task_body.length).toBeLessThan(4000);
  });

  test.each(ALL)("of %s runs one guarded turn with its own ids", (hostSurface) => {
    const body = activate(hostSurface, TARGET).task_body;
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
    const body = activate("shell", { ...TARGET, threadId: undefined }).task_body;
    expect(body).not.toContain("--thread-id");
  });
});

describe("the words of a host", () => {
  test.each(ALL.filter((hostSurface) => !CODEX_SURFACES.includes(hostSurface)))(
    "%s hears nothing of Codex",
    (hostSurface) => {
      expect(JSON.stringify(activate(hostSurface, TARGET))).not.toMatch(/codex|automation|RRULE|\/goal\b|heartbeat/i);
    },
  );

  test.each(ALL)("%s is plain English", (hostSurface) => {
    expect(JSON.stringify(activate(hostSurface, TARGET))).toMatch(/^[\x20-\x7e]*$/);
  });

  test.each(ALL)("%s never lets a missing tool pass for a running loop", (hostSurface) => {
    expect(activate(hostSurface, TARGET).missing_host_tool_gate).toMatch(
      /No loop runs|claim no autonomy|no loop is declared|no loop\./,
    );
  });

  test.each<[HostSurface, string]>([
    ["codex-app", "Create or update this task's heartbeat automation: task_body, first interval 3 minutes."],
    ["codex-app-ssh", "In the visible task, set /goal followed by task_body."],
    ["codex-ide-plugin", "In the visible task, set /goal followed by task_body."],
    ["codex-cli-tui", "In the visible task, set /goal followed by task_body."],
    ["claude-code", "Run /loop followed by task_body."],
    ["opencode", "Take task_body as this session's objective."],
    ["shell", "Give task_body to the scheduler or operator that starts the agent."],
    ["other-agent", "Declare with --loop-driver what drives the loop."],
  ])("%s begins with its own means", (hostSurface, first) => {
    expect(activate(hostSurface, TARGET).steps[0]).toBe(first);
  });
});

describe("the heartbeat prompt", () => {
  test.each(ALL)("of %s is the body of the start, with its digest and the command that records it", (hostSurface) => {
    const packet = renderHeartbeatPrompt({ hostSurface, target: TARGET, loopDriver: "cron" }, printCommand);
    const body = renderTaskBody(hostSurface, TARGET, printCommand);
    expect(packet.task_body).toBe(activate(hostSurface, TARGET).task_body);
    expect(packet.character_count).toBe(packet.task_body.length);
    expect(packet.character_count).toBeLessThanOrEqual(packet.max_characters);
    expect(packet.max_characters).toBe(hostSurface.startsWith("codex-") && hostSurface !== "codex-app" ? 4000 : 1900);
    const [record] = parseThroughShell(packet.next);
    expect(record?.words).toBe("agent-onboard");
    expect(Object.fromEntries(record?.flags ?? [])).toMatchObject({
      "agent-id": "lane-1",
      "task-body-digest": body.digest,
      "record-activation": true,
      execute: true,
    });
  });

  test("says what stands before it where it is pasted, and only there", () => {
    const prefixes = ALL.map((hostSurface) => {
      const packet = renderHeartbeatPrompt({ hostSurface, target: TARGET }, printCommand);
      return [hostSurface, packet.paste_prefix, renderActivationContract(hostSurface).paste];
    });
    expect(prefixes.filter(([, prefix]) => prefix !== undefined)).toEqual([
      ["codex-app-ssh", "/goal ", "/goal <task_body>"],
      ["codex-ide-plugin", "/goal ", "/goal <task_body>"],
      ["codex-cli-tui", "/goal ", "/goal <task_body>"],
      ["claude-code", "/loop ", "/loop <task_body>"],
    ]);
  });
});

describe("the record of a loop", () => {
  const digest = renderTaskBody("codex-cli-tui", TARGET, printCommand).digest;
  const record: RecordedActivation = {
    ...TARGET,
    hostSurface: "codex-cli-tui",
    loopDriver: undefined,
    taskBodyDigest: digest,
    recordedAt: "2026-11-30T12:00:00.000Z",
  };
  const other = `sha256:${"0".repeat(64)}`;

  test.each<[string, RecordedActivation | undefined, string]>([
    ["no record", undefined, "missing"],
    ["the same body on the same surface", record, "current"],
    ["another body", { ...record, taskBodyDigest: other }, "stale"],
    ["another surface", { ...record, hostSurface: "claude-code" }, "stale"],
  ])("%s is %s", (_case, stored, state) => {
    expect(activate("codex-cli-tui", TARGET, stored).state).toBe(state);
    const lane = { hostSurface: "codex-cli-tui", target: TARGET, record: stored, loopDriver: undefined } as const;
    expect(renderActivationCommands(lane, printCommand).state).toBe(state);
  });

  test("another thread in the body makes it stale", () => {
    expect(activate("codex-cli-tui", { ...TARGET, threadId: "another" }, record).state).toBe("stale");
  });

  test("asks for a look first where it is current, and for a record where it is not", () => {
    const current = activate("codex-cli-tui", TARGET, record);
    expect(current.record_command).toBeUndefined();
    expect(current.steps[0]).toMatch(/on record: look whether it runs/);
    const missing = activate("codex-cli-tui", TARGET);
    expect(missing.record_command).toMatch(/--record-activation --execute$/);
  });

  test("is looked at by itself with its own surface and thread", () => {
    expect(checkRecordedActivation(record, printCommand)).toBe("current");
    expect(checkRecordedActivation({ ...record, taskBodyDigest: other }, printCommand)).toBe("stale");
    expect(checkRecordedActivation({ ...record, hostSurface: "a-host-of-tomorrow" }, printCommand)).toBe("stale");
  });
});

describe("the contract of a surface", () => {
  test.each(ALL)("%s says who owns the loop, how it is set up, and when that is done", (hostSurface) => {
    const contract = renderActivationContract(hostSurface);
    expect(contract.host_mutation.owner).not.toBe("");
    expect(contract.steps[0]).toBe("Take task_body from heartbeat_command.");
    expect(contract.success_criteria.length).toBeGreaterThan(1);
    expect(contract.host_mutation.missing_host_tool_gate).toBe(activate(hostSurface, TARGET).missing_host_tool_gate);
  });

  test("a driver is offered where the host has none, and nowhere else", () => {
    const offered = ALL.filter((hostSurface) => {
      const lane = { hostSurface, target: TARGET, record: undefined, loopDriver: undefined };
      return renderActivationCommands(lane, printCommand).drive_command !== undefined;
    });
    expect(offered).toEqual(["opencode", "cursor-agent", "gemini-cli", "shell", "other-agent"]);
  });
});
