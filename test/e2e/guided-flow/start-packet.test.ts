import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findRefusedCommands } from "../../support/printed-commands.ts";
import { readField, readText } from "../../support/read-field.ts";
import { createShellWorld, digestWorld, type ShellWorld } from "../../support/shell-world.ts";
import { verifies } from "../../support/verifies.ts";

const SURFACES = [
  ["codex-app", "create_or_update_codex_app_automation"],
  ["codex-app-ssh", "set_visible_goal"],
  ["codex-ide-plugin", "set_visible_goal"],
  ["codex-cli-tui", "set_visible_goal"],
  ["claude-code", "run_native_loop"],
  ["opencode", "run_agent_cli_loop_gated_by_quota"],
  ["cursor-agent", "run_agent_cli_loop_gated_by_quota"],
  ["gemini-cli", "run_agent_cli_loop_gated_by_quota"],
  ["shell", "external_loop_driver"],
  ["other-agent", "external_loop_driver"],
] as const;

const START = "loopx start-goal --guided --project . --goal-text 'Ship Zq7'";

let world: ShellWorld;
beforeAll(() => {
  world = createShellWorld();
});
afterAll(() => world.remove());

async function preview(line: string): Promise<{ readonly packet: unknown; readonly json: string }> {
  const before = digestWorld(world);
  const result = await world.shell(line);
  expect(result).toMatchObject({ exitCode: 0, stderr: "" });
  expect(digestWorld(world), `${line} wrote`).toBe(before);
  expect(findRefusedCommands(result.json)).toEqual([]);
  return { packet: result.json, json: JSON.stringify(result.json) };
}

function countCopies(json: string): number {
  return json.split("Ship Zq7").length - 1;
}

describe("the surface gate", () => {
  test("answers where no surface is named, and each of its reruns is exact", async () => {
    verifies("start.surface-gate", "start.surface-gate-writes-nothing", "permission.preview-stops");
    const { packet } = await preview(START);
    const gate = readField(packet, "host_surface_selection_gate");
    expect(packet).toMatchObject({
      ok: true,
      read_only: true,
      guided_transaction: { writes_now: false, spends_quota_now: false, blocked_by: "host_surface_selection" },
      safety_contract: {
        writes_registry: false,
        writes_state_file: false,
        creates_heartbeat: false,
        spends_quota: false,
      },
    });
    for (const [index, [surface]] of SURFACES.entries()) {
      expect(readText(gate, "choices", index, "host_surface")).toBe(surface);
      const rerun = `${readText(gate, "rerun_command")} ${readText(gate, "choices", index, "rerun_argument")}`;
      expect((await preview(rerun)).packet).toMatchObject({ host_surface: surface, goal_text: "Ship Zq7" });
    }
    expect(readField(gate, "choices", SURFACES.length)).toBeUndefined();
  });
});

describe.each(SURFACES)("a start on %s", (surface, activationMethod) => {
  const line = `${START} --host-surface ${surface}`;

  test("names the way its host keeps the loop going", async () => {
    verifies("activation.per-host", "fallback.start-goal");
    const { packet } = await preview(line);
    expect(readField(packet, "host_activation", "activation_method")).toBe(activationMethod);
    expect(readText(packet, "host_activation", "task_body").length).toBeLessThanOrEqual(1900);
    expect(readText(packet, "host_activation", "missing_host_tool_gate")).not.toBe("");
  });

  test("is compact, holds the hot path, and says the same host action with all detail", async () => {
    verifies("start.compact-by-default", "start.hot-path", "start.detail-on-request", "start.detail-same-host-action");
    verifies("fallback.start-goal-detail");
    const compact = await preview(line);
    expect(compact.packet).toMatchObject({
      goal_id: "work-goal",
      agent_id: expect.any(String),
      goal_plan: { mode: "new_goal", sets_objective: true },
      planning_contract: { rules: expect.any(Array) },
      safety_contract: { mutation_commands_are_previewed: true },
      guided_transaction: { mode: "dry_run_preview", ordered_steps: expect.any(Array) },
      host_surface: surface,
    });
    expect(compact.packet).not.toHaveProperty("command_pack");
    expect(countCopies(compact.json)).toBe(3);

    const detailed = await preview(`${line} --include-command-pack-detail`);
    expect(readField(detailed.packet, "command_pack", "bootstrap", "connection")).toBe("not_connected");
    const { host_activation, guided_transaction, goal_plan, planning_contract, safety_contract } = toRecord(
      compact.packet,
    );
    const shared = { host_activation, guided_transaction, goal_plan, planning_contract, safety_contract };
    for (const [key, value] of Object.entries(shared)) {
      expect(JSON.stringify(readField(detailed.packet, key))).toBe(JSON.stringify(value));
    }
    const cold = await preview(readText(compact.packet, "detail_command"));
    expect(JSON.stringify(readField(cold.packet, "host_activation"))).toBe(JSON.stringify(host_activation));
    expect(readField(cold.packet, "command_pack")).toBeDefined();
  });
});

function toRecord(packet: unknown): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(packet ?? {}));
}

describe("bootstrap-command-pack with a text", () => {
  test("leads to the guided start that carries it", async () => {
    verifies("fallback.command-pack-goal-text", "commands.goal-text-starts");
    const { packet, json } = await preview("loopx bootstrap-command-pack --project . --goal-text 'Ship Zq7'");
    expect(packet).toMatchObject({
      slash_command: "/loopx <goal text>",
      recommended_next_step: {
        kind: "select_host_surface",
        command: "loopx start-goal --guided --project=. '--goal-text=Ship Zq7'",
      },
    });
    expect(countCopies(json)).toBe(1);
  });
});
