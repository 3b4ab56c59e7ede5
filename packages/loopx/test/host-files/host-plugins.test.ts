import { describe, expect, test } from "vitest";
import { describeStanding } from "@loopx/host-commands";
import { createHostWorld, statusesOf } from "./host-world.ts";

const CLAUDE = '{\n  "enabledPlugins": { "loopx@loopx": true }\n}\n';
const CODEX = '[plugins."loopx@loopx"]\nenabled = true\n';
const OPENCODE = '{ "plugin": ["opencode-loopx"] }\n';

describe("an installation beside LoopX's own plugin", () => {
  test("adds nothing that the plugin brings, and says which one it is", async () => {
    const world = createHostWorld();
    world.write(".claude/settings.json", CLAUDE);
    world.write(".codex/config.toml", CODEX);
    world.write(".config/opencode/opencode.json", OPENCODE);
    const before = world.snapshot();
    const rows = await world.apply({ surfaces: ["claude-code", "codex", "opencode"] });
    expect(statusesOf(rows)).toEqual({
      "codex facade": "shadowed",
      "codex policy": "shadowed",
      "codex workflow_skill": "shadowed",
      "codex hook": "shadowed",
      "codex mcp_entry": "shadowed",
      "claude-code facade": "shadowed",
      "claude-code workflow_skill": "shadowed",
      "claude-code hook": "shadowed",
      "claude-code mcp_entry": "shadowed",
      "opencode facade": "shadowed",
      // The package brings no skill.
      "opencode workflow_skill": "created",
      "opencode plugin": "shadowed",
      "opencode mcp_entry": "shadowed",
    });
    expect(new Set(rows.flatMap(({ shadowedBy = [] }) => shadowedBy))).toEqual(
      new Set([
        "plugin loopx@loopx of ~/.codex/config.toml",
        "plugin loopx@loopx of ~/.claude/settings.json",
        "plugin opencode-loopx of ~/.config/opencode/opencode.json",
      ]),
    );
    expect(world.snapshot()).toMatchObject(before);
    const check = await world.apply({ operation: "check", surfaces: ["claude-code", "codex"] });
    expect(new Set(check.map(({ status }) => status))).toEqual(new Set(["shadowed"]));
  });

  test("takes its own files back where the plugin came later, which a check says before", async () => {
    const world = createHostWorld();
    const surfaces = ["claude-code"] as const;
    world.write(".claude.json", '{"mcpServers":{"loopx":{"command":"loopx","args":["mcp"]}}}');
    await world.apply({ surfaces });
    const settings = world.read(".claude/settings.json");
    world.write(".claude/settings.json", settings.replace("{", '{"enabledPlugins":{"loopx@loopx":true},'));
    const check = await world.apply({ operation: "check", surfaces });
    expect(statusesOf(check)).toMatchObject({ "claude-code facade": "stale", "claude-code hook": "stale" });
    expect(describeStanding(check)).toContain(
      "6 commands stale, there already in plugin loopx@loopx of ~/.claude/settings.json",
    );
    const rows = await world.apply({ surfaces });
    expect(statusesOf(rows)).toEqual({
      "claude-code facade": "removed",
      "claude-code workflow_skill": "removed",
      "claude-code hook": "removed",
      // Claude Code's own state file, which only Claude Code writes.
      "claude-code mcp_entry": "unchanged",
    });
    expect(world.read(".claude/settings.json")).not.toContain("hook claude-code");
    expect(Object.keys(world.snapshot())).toEqual([".claude.json", ".claude/settings.json"]);
  });

  test("is removed as ever", async () => {
    const world = createHostWorld();
    await world.apply({ surfaces: ["codex"] });
    world.write(".codex/config.toml", `${CODEX}${world.read(".codex/config.toml")}`);
    const rows = await world.apply({ operation: "uninstall", surfaces: ["codex"] });
    expect(new Set(rows.map(({ status }) => status))).toEqual(new Set(["removed"]));
    expect(rows.flatMap(({ shadowedBy = [] }) => shadowedBy)).toEqual([]);
    expect(world.read(".codex/config.toml")).toBe(CODEX);
  });

  test("in a project counts the user's plugin and the project's own", async () => {
    const world = createHostWorld();
    world.write(".claude/settings.json", CLAUDE);
    const surfaces = ["claude-code"] as const;
    const rows = await world.apply({ scope: "project", surfaces });
    expect(new Set(rows.map(({ status }) => status))).toEqual(new Set(["shadowed"]));
  });

  test("goes on where the plugin is off", async () => {
    const world = createHostWorld();
    world.write(".claude/settings.json", CLAUDE.replace("true", "false"));
    const rows = await world.apply({ surfaces: ["claude-code"] });
    expect(statusesOf(rows)).toMatchObject({ "claude-code facade": "created", "claude-code hook": "created" });
  });
});
