import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
  lstatSync,
} from "node:fs";
import { join } from "node:path";
import { parse as parseJsonc } from "jsonc-parser";
import { parse as parseToml } from "smol-toml";
import { describe, expect, test } from "vitest";
import { createHostWorld, statusesOf, type HostWorld } from "./host-world.ts";

/** Settings as users have them: comments, odd indentation, secrets, and hooks of other programs. */
const SETTINGS = {
  ".claude/settings.json": `{\n    "model": "opus",\n    "hooks": {\n        "UserPromptSubmit": [\n            { "hooks": [{ "type": "command", "command": "lint" }] }\n        ]\n    },\n    "env": { "TOKEN": "s3cret" }\n}\n`,
  ".codex/hooks.json": '{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"beep"}]}]}}',
  ".codex/config.toml": '# mine\r\nmodel = "gpt-5.9"\r\n\r\n[mcp_servers.docs]\r\ncommand = "docs"',
  ".config/opencode/opencode.jsonc":
    '{\n\t// my models\n\t"model": "x/y", // fast\n\t"mcp": {\n\t\t"docs": { "type": "local", "command": ["docs"] },\n\t},\n}\n',
  ".cursor/hooks.json": '{"version":1,"hooks":{}}\n',
  ".cursor/mcp.json": '\uFEFF{ "mcpServers": { "docs": { "command": "docs" } } }',
  ".gemini/settings.json": '{\r\n  "ui": { "theme": "x: #fff" }\r\n}\r\n',
} as const;

function createFullHome(): HostWorld {
  const world = createHostWorld();
  for (const [path, text] of Object.entries(SETTINGS)) world.write(path, text, 0o664);
  world.write(".claude.json", '{"numStartups": 3}');
  return world;
}

describe("an installation into all hosts", () => {
  test("is merged into every settings file, and its removal restores each byte and permission", async () => {
    const world = createFullHome();
    const before = world.snapshot();
    const rows = await world.apply();
    expect(statusesOf(rows)).toMatchObject({
      "codex facade": "created",
      "codex hook": "created",
      "codex mcp_entry": "created",
      "claude-code facade": "created",
      "claude-code hook": "created",
      "claude-code mcp_entry": "left_to_host",
      "opencode facade": "created",
      "opencode plugin": "created",
      "opencode workflow_skill": "shadowed",
      "opencode mcp_entry": "created",
      "cursor facade": "shadowed",
      "cursor hook": "created",
      "cursor mcp_entry": "created",
      "gemini facade": "created",
      "gemini hook": "created",
      "gemini mcp_entry": "created",
    });
    const installed = world.snapshot();
    for (const path of Object.keys(SETTINGS)) {
      expect(installed[path]?.startsWith("664 "), path).toBe(true);
      expect(installed[path], path).not.toBe(before[path]);
    }
    expect(new Set(Object.values(statusesOf(await world.apply())))).toEqual(
      new Set(["unchanged", "shadowed", "left_to_host"]),
    );
    expect(world.snapshot()).toEqual(installed);
    await world.apply({ operation: "uninstall" });
    expect(world.snapshot()).toEqual(before);
  });

  test("makes the files that are not there, and takes them away again", async () => {
    const world = createHostWorld();
    const rows = await world.apply({ surfaces: ["all"] });
    expect(new Set(rows.map(({ status }) => status))).toEqual(new Set(["created", "shadowed", "left_to_host"]));
    const gemini = JSON.parse(world.read(".gemini/settings.json")) as object;
    expect(Object.keys(gemini).toSorted()).toEqual(["hooks", "mcpServers"]);
    expect(parseToml(world.read(".codex/config.toml"))).toHaveProperty("mcp_servers.loopx.args", [
      "/opt/loopx/bin/loopx.cjs",
      "mcp",
    ]);
    expect(parseJsonc(world.read(".config/opencode/opencode.json"))).toHaveProperty("mcp.loopx.type", "local");
    expect(JSON.parse(world.read(".cursor/hooks.json"))).toHaveProperty("version", 1);
    await world.apply({ operation: "uninstall" });
    expect(world.snapshot()).toEqual({});
    expect(existsSync(join(world.home, ".codex", "skills"))).toBe(false);
  });

  test("without hosts is the skills of Codex and Claude Code, and nothing else", async () => {
    const world = createHostWorld();
    await world.apply();
    const files = Object.keys(world.snapshot());
    expect(files.filter((file) => !/^\.(?:codex|claude)\/skills\/loopx[-a-z]*\//.test(file))).toEqual([]);
    expect(files).toContain(".codex/skills/loopx-pr-review/SKILL.md");
    expect(files).toContain(".claude/skills/loopx-global-gates/SKILL.md");
    expect(statusesOf(await world.apply({ operation: "check" }))).toMatchObject({ "codex facade": "current" });
    await world.apply({ operation: "uninstall" });
    expect(world.snapshot()).toEqual({});
  });

  test("is registered at one of Claude Code's prompt events, and tells Codex its exact surface and cap", async () => {
    const world = createHostWorld();
    await world.apply({ surfaces: ["claude-code", "codex-cli-tui"] });
    expect(Object.keys((JSON.parse(world.read(".claude/settings.json")) as { hooks: object }).hooks)).toEqual([
      "UserPromptSubmit",
    ]);
    expect(JSON.parse(world.read(".codex/hooks.json"))).toEqual({
      hooks: {
        UserPromptSubmit: [
          {
            hooks: [
              {
                type: "command",
                command: "'/opt/node 20/bin/node' /opt/loopx/bin/loopx.cjs hook codex --host-surface=codex-cli-tui",
                timeout: 10,
                additionalContextLimit: 2500,
              },
            ],
          },
        ],
      },
    });
    expect(statusesOf(await world.apply({ surfaces: ["codex"], operation: "check" }))).toMatchObject({
      "codex hook": "current",
    });
  });

  test("goes where the hosts' own variables point", async () => {
    const world = createHostWorld();
    const at = (name: string): string => join(world.home, name);
    const env = {
      HOME: world.home,
      CODEX_HOME: at("c o"),
      CLAUDE_CONFIG_DIR: at("クロード"),
      OPENCODE_CONFIG_DIR: at("oc"),
      XDG_CONFIG_HOME: at("xdg"),
    };
    const rows = await world.apply({ surfaces: ["all"], ambient: { env, cwd: world.project } });
    expect(rows.map(({ place }) => place)).toEqual(
      expect.arrayContaining([
        "$CODEX_HOME/skills",
        "$CLAUDE_CONFIG_DIR/settings.json",
        "$OPENCODE_CONFIG_DIR/commands",
      ]),
    );
    expect(JSON.stringify(rows)).not.toContain(world.home);
    expect(readdirSync(world.home).toSorted()).toEqual([".cursor", ".gemini", "c o", "oc", "クロード"].toSorted());
    const other = createHostWorld();
    await other.apply({
      surfaces: ["opencode"],
      ambient: { env: { HOME: other.home, XDG_CONFIG_HOME: join(other.home, "xdg") }, cwd: other.project },
    });
    expect(existsSync(join(other.home, "xdg", "opencode", "commands", "loopx.md"))).toBe(true);
  });

  test("finds a host by its program, and leaves Claude Code's own state to Claude Code", async () => {
    const world = createHostWorld();
    world.write("bin/gemini", "#!/bin/sh\n", 0o755);
    world.write("bin/cursor", "no program");
    world.write(".claude.json", '{"mcpServers":{"loopx":{"command":"loopx","args":["mcp"]}}}');
    world.write(".claude/history.jsonl", "");
    const env = { HOME: world.home, PATH: `${join(world.home, "bin")}:relative` };
    const statuses = statusesOf(await world.apply({ ambient: { env, cwd: world.project } }));
    expect(statuses).toMatchObject({ "gemini hook": "created", "claude-code mcp_entry": "unchanged" });
    expect(Object.keys(statuses).filter((key) => key.startsWith("cursor"))).toEqual([]);
    expect(world.read(".claude.json")).toBe('{"mcpServers":{"loopx":{"command":"loopx","args":["mcp"]}}}');
  });

  test("into a project names loopx alone, and leaves out what the user has already", async () => {
    const world = createHostWorld();
    const rows = await world.apply({ surfaces: ["all"], scope: "project" });
    const files = readdirSync(world.project, { recursive: true, encoding: "utf8" });
    const texts = files
      .filter((file) => lstatSync(join(world.project, file)).isFile())
      .map((file) => readFileSync(join(world.project, file), "utf8"));
    expect(texts.filter((text) => text.includes("/opt/"))).toEqual([]);
    expect(files).toEqual(
      expect.arrayContaining([".claude/settings.json", ".mcp.json", "opencode.json", ".codex/skills/loopx/SKILL.md"]),
    );
    expect(world.snapshot()).toEqual({});
    expect(rows.find(({ part, host }) => part === "hook" && host === "claude-code")?.place).toBe(
      ".claude/settings.json",
    );
    await world.apply({ operation: "uninstall", scope: "project" });
    await world.apply({ surfaces: ["all"] });
    const again = statusesOf(await world.apply({ surfaces: ["all"], scope: "project" }));
    expect(again).toMatchObject({
      "codex facade": "shadowed",
      "claude-code hook": "shadowed",
      "gemini hook": "shadowed",
    });
  });
});

describe("one name in one host", () => {
  test("is not installed where the host reads it from elsewhere", async () => {
    const world = createHostWorld();
    world.write(".agents/skills/loopx/SKILL.md", "mine");
    const rows = await world.apply({ surfaces: ["codex"] });
    const own = rows.filter(({ name, part }) => name === "loopx" && part === "facade");
    expect(own).toMatchObject([{ status: "shadowed", shadowedBy: "~/.agents/skills" }]);
    expect(existsSync(join(world.home, ".codex/skills/loopx"))).toBe(false);
    expect(existsSync(join(world.home, ".codex/skills/loopx-pr-review/SKILL.md"))).toBe(true);
  });

  test("is taken out of Cursor once Claude Code brings it, and comes back when Claude Code's goes", async () => {
    const world = createHostWorld();
    await world.apply({ surfaces: ["cursor"] });
    expect(world.read(".cursor/skills/loopx/SKILL.md")).toContain("loopx-managed:v1");
    await world.apply({ surfaces: ["claude-code"] });
    expect(statusesOf(await world.apply({ surfaces: ["cursor"], operation: "check" }))).toMatchObject({
      "cursor facade": "stale",
    });
    expect(statusesOf(await world.apply({ surfaces: ["cursor"] }))).toMatchObject({ "cursor facade": "removed" });
    expect(existsSync(join(world.home, ".cursor/skills"))).toBe(false);
    await world.apply({ surfaces: ["claude-code"], operation: "uninstall" });
    expect(statusesOf(await world.apply({ surfaces: ["cursor"] }))).toMatchObject({ "cursor facade": "created" });
  });

  test("of an older LoopX goes, with its legacy spellings", async () => {
    const world = createHostWorld();
    const marker = "<!-- loopx-managed-slash-command:v1 command=/loop-global-todos surface=codex-skills -->";
    world.write(".codex/skills/loop-global-todos/SKILL.md", `---\nname: "loop-global-todos"\n---\n\n${marker}\n`);
    world.write(".codex/prompts/loopx.md", `${marker}\nbody\n`);
    world.write(".codex/prompts/mine.md", "mine");
    world.write(".claude/skills/loop-global-risks/SKILL.md", "my own notes");
    const rows = await world.apply({ surfaces: ["codex", "claude-code"] });
    expect(rows.filter(({ part }) => part === "legacy_file").map(({ place, status }) => [place, status])).toEqual([
      ["~/.codex/skills/loop-global-todos/SKILL.md", "removed"],
      ["~/.codex/prompts/loopx.md", "removed"],
    ]);
    expect(world.read(".codex/prompts/mine.md")).toBe("mine");
    expect(world.read(".claude/skills/loop-global-risks/SKILL.md")).toBe("my own notes");
  });
});

describe("a file in the place of one of ours", () => {
  const skill = ".codex/skills/loopx/SKILL.md";

  test("that is a user's stays, at every operation", async () => {
    const world = createHostWorld();
    world.write(skill, "my own skill", 0o600);
    for (const operation of ["install", "check", "uninstall"] as const) {
      const rows = await world.apply({ surfaces: ["codex"], operation });
      expect(rows.find(({ name, part }) => name === "loopx" && part === "facade")?.status).toBe("skipped_user_file");
      expect(world.snapshot()[skill]).toBe("600 my own skill");
    }
  });

  test("that is a user's gets no policy of ours beside it, and loses one that was there", async () => {
    const world = createHostWorld();
    const policy = ".codex/skills/loopx/agents/openai.yaml";
    await world.apply({ surfaces: ["codex"] });
    const ours = world.read(policy);
    world.write(skill, "my own skill");
    expect(statusesOf(await world.apply({ surfaces: ["codex"], operation: "check" }))["codex policy"]).toBe(
      "stale, current",
    );
    expect(statusesOf(await world.apply({ surfaces: ["codex"] }))["codex policy"]).toBe("removed, unchanged");
    expect(statusesOf(await world.apply({ surfaces: ["codex"] }))["codex policy"]).toBe("skipped_user_file, unchanged");
    expect(Object.keys(world.snapshot()).filter((file) => file.startsWith(".codex/skills/loopx/"))).toEqual([skill]);
    expect(ours).toContain("allow_implicit_invocation: false");
  });

  test("that is ours and was edited is saved beside itself, once, and named", async () => {
    const world = createHostWorld();
    await world.apply({ surfaces: ["codex"] });
    const edited = `${world.read(skill)}\nmy addition\n`;
    world.write(skill, edited);
    expect(statusesOf(await world.apply({ surfaces: ["codex"], operation: "check" }))["codex facade"]).toBe(
      "edited, current",
    );
    const planned = await world.apply({ surfaces: ["codex"], isDryRun: true });
    const rows = await world.apply({ surfaces: ["codex"] });
    expect(rows).toEqual(planned);
    const saved = rows.flatMap(({ savedAs }) => (savedAs === undefined ? [] : [savedAs]));
    expect(saved).toEqual([expect.stringMatching(/^~\/\.codex\/skills\/loopx\/SKILL\.md\.edited-[0-9a-f]{12}$/)]);
    expect(world.read(String(saved[0]).replace("~/", ""))).toBe(edited);
    expect(world.read(skill)).not.toContain("my addition");
    world.write(skill, edited);
    await world.apply({ surfaces: ["codex"], operation: "uninstall" });
    expect(Object.keys(world.snapshot())).toEqual([String(saved[0]).replace("~/", "")]);
  });

  test("of another version is updated", async () => {
    const world = createHostWorld();
    await world.apply({ surfaces: ["codex"] });
    const rows = await world.apply({ surfaces: ["codex"], version: "1.2.4" });
    expect(statusesOf(rows)["codex facade"]).toBe("updated");
    expect(world.read(skill)).toContain("version=1.2.4");
    expect(rows.some(({ savedAs }) => savedAs !== undefined)).toBe(false);
  });

  test("that an older LoopX generated is upgraded, with a copy", async () => {
    const world = createHostWorld();
    world.write(
      skill,
      '---\nname: "loopx"\n---\n\n<!-- loopx-managed-slash-command:v1 command=/loopx surface=codex-skills -->\n\nold\n',
    );
    const row = (await world.apply({ surfaces: ["codex"] })).find(
      ({ name, part }) => name === "loopx" && part === "facade",
    );
    expect(row).toMatchObject({
      status: "upgraded_legacy",
      savedAs: expect.stringContaining("SKILL.md.edited-") as string,
    });
    expect(world.read(skill)).toContain("loopx-managed:v1");
  });
});

describe("a hostile or broken place", () => {
  test("that is a link out of the host's home is not followed", async () => {
    const world = createHostWorld();
    mkdirSync(join(world.home, "elsewhere"));
    mkdirSync(join(world.home, ".codex/skills"), { recursive: true });
    symlinkSync(join(world.home, "elsewhere"), join(world.home, ".codex/skills/loopx"));
    writeFileSync(join(world.home, "target.json"), "{}");
    symlinkSync(join(world.home, "target.json"), join(world.home, ".codex/hooks.json"));
    symlinkSync(join(world.home, "nowhere"), join(world.home, ".codex/config.toml"));
    const statuses = statusesOf(await world.apply({ surfaces: ["codex"] }));
    expect(statuses).toMatchObject({
      "codex facade": "blocked: symlink_leaves_root, created",
      "codex hook": "blocked: symlink_leaves_root",
      "codex mcp_entry": "blocked: symlink_leaves_root",
    });
    expect(readdirSync(join(world.home, "elsewhere"))).toEqual([]);
    expect(world.read("target.json")).toBe("{}");
  });

  test("that is a link inside of it is written through, and the home itself may be one", async () => {
    const world = createHostWorld();
    world.write("dotfiles/claude/real.json", "{}\n");
    symlinkSync(join(world.home, "dotfiles/claude"), join(world.home, ".claude"));
    symlinkSync("real.json", join(world.home, ".claude/settings.json"));
    expect(statusesOf(await world.apply({ surfaces: ["claude-code"] }))["claude-code hook"]).toBe("created");
    expect(lstatSync(join(world.home, ".claude/settings.json")).isSymbolicLink()).toBe(true);
    expect(world.read("dotfiles/claude/real.json")).toContain("hook claude-code");
    await world.apply({ surfaces: ["claude-code"], operation: "uninstall" });
    expect(world.read("dotfiles/claude/real.json")).toBe("{}\n");
  });

  test.each([
    ["{", "invalid_json"],
    ["", "invalid_json"],
    ['{"hooks":[]}', "unexpected_shape"],
    [`{"x":"${"y".repeat(1024 * 1024)}"}`, "too_large"],
    ["\u0000\u00ff", "not_utf8"],
  ])("that cannot be read as settings is named and left: %.20j", async (content, reason) => {
    const world = createHostWorld();
    mkdirSync(join(world.home, ".claude"));
    const path = join(world.home, ".claude/settings.json");
    writeFileSync(path, content, "latin1");
    for (const operation of ["install", "check", "uninstall"] as const) {
      const rows = await world.apply({ surfaces: ["claude-code"], operation });
      expect(statusesOf(rows)["claude-code hook"]).toBe(`blocked: ${reason}`);
      expect(readFileSync(path, "latin1")).toBe(content);
    }
  });

  test("that is a folder, or has a file for a folder, is named and left", async () => {
    const world = createHostWorld();
    mkdirSync(join(world.home, ".claude/settings.json"), { recursive: true });
    writeFileSync(join(world.home, ".claude/skills"), "a file");
    const statuses = statusesOf(await world.apply({ surfaces: ["claude-code"] }));
    expect(statuses).toMatchObject({
      "claude-code hook": "blocked: not_a_file",
      "claude-code facade": "blocked: not_a_file",
    });
    expect(readFileSync(join(world.home, ".claude/skills"), "utf8")).toBe("a file");
  });

  test("keeps no leftovers of a write that was killed, but those of one that may still run", async () => {
    const world = createHostWorld();
    await world.apply({ surfaces: ["claude-code"] });
    const leftover = ".claude/settings.json.01234567-89ab-4cde-8f01-23456789abcd.tmp";
    const young = ".claude/settings.json.11234567-89ab-4cde-8f01-23456789abcd.tmp";
    world.write(leftover, "half");
    world.write(young, "half");
    world.write(".claude/settings.json.mine.tmp", "mine");
    utimesSync(join(world.home, leftover), 1, 1);
    await world.apply({ surfaces: ["claude-code"], operation: "uninstall" });
    expect(Object.keys(world.snapshot())).toEqual([young, ".claude/settings.json.mine.tmp"].toSorted());
  });
});

test("a dry run says the same as the real one, and writes nothing", async () => {
  const world = createFullHome();
  const before = world.snapshot();
  const planned = await world.apply({ isDryRun: true });
  expect(world.snapshot()).toEqual(before);
  expect(planned).toEqual(await world.apply());
  const installed = world.snapshot();
  const removed = await world.apply({ operation: "uninstall", isDryRun: true });
  expect(world.snapshot()).toEqual(installed);
  expect(removed).toEqual(await world.apply({ operation: "uninstall" }));
});
