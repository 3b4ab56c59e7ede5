import { readdirSync } from "node:fs";
import { LIMITS } from "@loopx/contracts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createWorld, type World } from "../../support/cli-world.ts";
import { countEvents, findContradictions, loadProjectState } from "../../support/project-state.ts";
import { findRefusedCommands } from "../../support/printed-commands.ts";
import { readField, readText } from "../../support/read-field.ts";
import { runProgram } from "../../support/run-program.ts";
import { verifies } from "../../support/verifies.ts";
import { createWorkingGoal, type WorkingGoal } from "../../support/working-goal.ts";

const TYPES = [
  "codex-app",
  "codex-app-ssh",
  "codex-ide-plugin",
  "codex-cli",
  "claude-code",
  "opencode",
  "cursor-agent",
  "gemini-cli",
  "manual",
  "other-agent",
];

let goal: WorkingGoal;
let world: World;
let lane: readonly string[];

beforeAll(async () => {
  goal = await createWorkingGoal(1);
  world = goal.world;
  lane = [`--goal-id=${goal.goalId}`, "--agent-id=agent-1"];
});
afterAll(() => world.remove());

function onboard(type: string, ...flags: readonly string[]): Promise<unknown> {
  return world.call(["agent-onboard", `--agent-type=${type}`, ...lane, ...flags]);
}

/** Runs the first command of a packet that begins with these words. */
async function follow(packet: unknown, words: string): Promise<unknown> {
  const found = JSON.stringify(packet).match(new RegExp(`"(loopx ${words} [^"]*)"`));
  const line = found?.[1];
  if (line === undefined) throw new Error(`no ${words} in ${JSON.stringify(packet)}`);
  const argv = line.split(" ").slice(1);
  return world.call(argv);
}

describe("agent types", () => {
  test("are listed without a project, and an ambiguous one is refused with those it could mean", async () => {
    verifies("hosts.agent-types.list", "hosts.agent-types.ambiguous-refused");
    const bare = createWorld();
    const before = readdirSync(bare.directory, { recursive: true });
    const catalog = await bare.call(["agent-onboard", "--list-agent-types"]);
    expect(readField(catalog, "canonical_agent_types")).toMatchObject(TYPES.map((type) => ({ agent_type: type })));
    for (const [type, suggestions] of [
      ["codex", ["codex-app", "codex-app-ssh", "codex-ide-plugin", "codex-cli"]],
      ["cli", ["codex-cli", "manual", "other-agent"]],
    ] as const) {
      expect(await bare.run(["agent-onboard", `--agent-type=${type}`, "--project=."])).toMatchObject({
        exitCode: 2,
        json: { ok: false, error: { code: "invalid_value", details: { field: "agent_type", suggestions } } },
      });
    }
    expect(await bare.call(["agent-onboard", "--agent-type=codex-cli", "--project=."])).toMatchObject({
      ok: true,
      connection: "not_connected",
      blocked_by: "project_not_connected",
    });
    expect(readdirSync(bare.directory, { recursive: true })).toEqual(before);
    bare.remove();
  });

  test.each(TYPES)("%s is onboarded within its budget, by commands that exist", async (type) => {
    verifies("fallback.agent-onboard", "activation.per-host");
    const flags = type === "other-agent" ? ["--loop-driver=cron"] : [];
    const packet = await onboard(type, ...flags);
    expect(packet).toMatchObject({ agent_type: type, activation: { state: "missing" } });
    expect(findRefusedCommands(packet)).toEqual([]);
    expect(Buffer.byteLength(JSON.stringify(packet))).toBeLessThanOrEqual(LIMITS.packetMaxBytes.agent_onboard);
    const prompt = await follow(packet, "heartbeat-prompt");
    expect(readText(prompt, "task_body").length).toBeLessThanOrEqual(Number(readField(prompt, "max_characters")));
    expect(findRefusedCommands(prompt)).toEqual([]);
    expect(readField(prompt, "task_body_digest")).toBe(readField(packet, "activation", "task_body_digest"));
  });

  test("an agent without a loop of its own declares what wakes it", async () => {
    verifies("activation.custom-driver");
    const undeclared = await onboard("other-agent");
    expect(undeclared).toMatchObject({ blocked_by: "loop_driver" });
    expect(findRefusedCommands(undeclared)).toEqual([]);
    const record = ["agent-onboard", "--agent-type=other-agent", ...lane, "--record-activation", "--execute"];
    expect(await world.run(record)).toMatchObject({ exitCode: 2, json: { error: { code: "missing_flag" } } });
    expect(await world.run([...record, "--loop-driver=<what wakes the agent>"])).toMatchObject({
      exitCode: 2,
      json: { error: { code: "invalid_value" } },
    });
  });
});

test("a task body is data: printed alone, byte for byte", async () => {
  const words = ["heartbeat-prompt", "--agent-type=codex-cli", ...lane];
  const packet = await world.call(words);
  const text = await runProgram(process.execPath, [world.program, ...words], { cwd: world.project, env: world.env });
  expect(text.stdout).toBe(`${readText(packet, "task_body")}\n`);
  expect(
    await world.run(["heartbeat-prompt", "--agent-type=codex-cli", lane[0] ?? "", "--agent-id=nobody"]),
  ).toMatchObject({ exitCode: 4, json: { error: { code: "unknown_agent" } } });
});

/** What each reader says of the lane's record. */
async function readStates(): Promise<readonly unknown[]> {
  return [
    readField(await onboard("claude-code"), "activation", "state"),
    readField(await world.call(["status"]), "agent_loops", 0, "state"),
  ];
}

describe("the record of a loop", () => {
  test("is missing, then current, then stale: in agent-onboard, status and doctor", async () => {
    verifies("activation.missing-or-stale");
    const doctor = async (): Promise<unknown> => {
      const { json } = await world.run(["doctor"]);
      const checks = readField(json, "checks") as readonly { readonly name: string }[];
      return checks.find(({ name }) => name === "agent loops");
    };
    expect(await readStates()).toEqual(["missing", "missing"]);
    expect(await doctor()).toMatchObject({ state: "warning", found: expect.stringContaining("agent-1: no record") });

    const preview = await onboard("claude-code", "--record-activation");
    expect(preview).toMatchObject({ dry_run: true, written: false, state: "current" });
    expect(countEvents(await loadProjectState(world), "activation_recorded.v1")).toBe(0);
    expect(await follow(preview, "agent-onboard")).toMatchObject({ dry_run: false, written: true });
    expect(await onboard("claude-code", "--record-activation", "--execute")).toMatchObject({ written: false });
    expect(await readStates()).toEqual(["current", "current"]);
    expect(await doctor()).toMatchObject({ state: "ok" });
    const state = await loadProjectState(world);
    expect(countEvents(state, "activation_recorded.v1")).toBe(1);
    expect(findContradictions(state)).toEqual([]);

    expect(readField(await onboard("opencode"), "activation", "state")).toBe("stale");
    const other = `--task-body-digest=sha256:${"0".repeat(64)}`;
    const stale = await onboard("claude-code", "--record-activation", "--execute", other);
    expect(stale).toMatchObject({ written: true, state: "stale" });
    expect(await readStates()).toEqual(["stale", "stale"]);
    expect(await doctor()).toMatchObject({ state: "warning", found: expect.stringContaining("agent-1: stale") });
    expect(readField((await world.run(["doctor"])).json, "next")).toContain(
      `loopx agent-onboard --agent-type=claude-code ${lane.join(" ")}`,
    );
  });

  test("is asked for by a start, and not again while it is current", async () => {
    verifies("activation.missing-or-stale");
    const words = ["start-goal", "--guided", "--goal-text=More", "--host-surface=claude-code", "--agent-id=agent-1"];
    await onboard("claude-code", "--record-activation", "--execute", `--task-body-digest=sha256:${"1".repeat(64)}`);
    const stale = await world.call(words);
    expect(readField(stale, "host_activation", "state")).toBe("stale");
    await follow(readField(stale, "host_activation"), "agent-onboard");
    const current = await world.call(words);
    expect(current).toMatchObject({ host_activation: { state: "current" } });
    expect(readField(current, "host_activation", "record_command")).toBeUndefined();
  });

  test("is only the lane's own to make, and only of a digest", async () => {
    const record = ["agent-onboard", "--agent-type=claude-code", "--record-activation", "--execute"];
    const refusals = [
      [[...record, ...lane, "--task-body-digest=latest"], "invalid_value"],
      [[...record, lane[0] ?? "", "--agent-id=nobody"], "binding_not_verified"],
      [["agent-onboard", "--agent-type=claude-code", ...lane, "--execute"], "usage"],
      [["agent-onboard", "--agent-type=claude-code", "--list-agent-types"], "usage"],
      [["agent-onboard"], "missing_flag"],
    ] as const;
    for (const [words, code] of refusals) {
      expect(await world.run(words)).toMatchObject({ json: { error: { code } } });
    }
  });

  test("moves with the project's state", async () => {
    const exported = await loadProjectState(world);
    expect(exported.get("activations")).toMatchObject([{ agent_id: "agent-1", host_surface: "claude-code" }]);
  });
});
