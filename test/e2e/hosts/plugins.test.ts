import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { describe, expect, test } from "vitest";
import type { World } from "../../support/cli-world.ts";
import { HOST_PAYLOADS, readHostPayload } from "../../support/host-payload.ts";
import { readField, readText } from "../../support/read-field.ts";
import { runProgram, type ProgramResult } from "../../support/run-program.ts";
import { verifies } from "../../support/verifies.ts";
import { createMachine } from "../environment/machine.ts";

// The committed plugins, used as their hosts use them: from a copy elsewhere, with whatever PATH the host has.

const ROOT = join(import.meta.dirname, "..", "..", "..");
const PLUGINS = ["claude-code", "codex"] as const;

function readJson(...path: readonly string[]): unknown {
  return JSON.parse(readFileSync(join(ROOT, ...path), "utf8"));
}

/** A PATH with the shell's own programs, and with `loopx` where there is one. */
function createPath(world: World, hasLoopx: boolean): string {
  const bin = join(world.directory, "bin");
  mkdirSync(bin);
  symlinkSync(process.execPath, join(bin, "node"));
  if (hasLoopx) symlinkSync(world.program, join(bin, "loopx"));
  return bin;
}

/** Runs the one handler of an event, as a host does: through a shell, with the payload on stdin. */
function runHook(
  plugin: (typeof PLUGINS)[number],
  event: string,
  { world, path, input }: { readonly world: World; readonly path: string; readonly input: string },
): Promise<ProgramResult> {
  const hooks = readJson("integrations", plugin, "hooks", "hooks.json");
  const command = readText(hooks, "hooks", event, 0, "hooks", 0, "command");
  return runProgram("/bin/sh", ["-c", command], { cwd: world.project, env: { ...world.env, PATH: path }, input });
}

const SILENT = { exitCode: 0, stdout: "", stderr: "" };

describe.each(PLUGINS)("the plugin for %s", (plugin) => {
  const file = HOST_PAYLOADS.find(({ host }) => host === plugin)?.file ?? "";

  test("has the version of the program", () => {
    const version = readText(readJson("packages", "loopx", "package.json"), "version");
    const folder = plugin === "codex" ? ".codex-plugin" : ".claude-plugin";
    expect(readText(readJson("integrations", plugin, folder, "plugin.json"), "version")).toBe(version);
  });

  test("hands a command over before the model sees it, and leaves any other prompt alone", async () => {
    verifies("hosts.parse.before-prompt");
    const world = createMachine();
    const path = createPath(world, true);
    const { json, stderr, exitCode } = await runHook(plugin, "UserPromptSubmit", {
      world,
      path,
      input: readHostPayload(file, world.project),
    });
    expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
    const context = readText(json, "hookSpecificOutput", "additionalContext");
    expect(JSON.parse(context.slice(context.indexOf("{")))).toMatchObject({ task_text: "Fix the flaky login test" });
    const ordinary = { world, path, input: readHostPayload(file, world.project, "fix /loopx") };
    expect(await runHook(plugin, "UserPromptSubmit", ordinary)).toMatchObject(SILENT);
    expect(await runHook(plugin, "SessionStart", ordinary)).toMatchObject(SILENT);
  });

  test("says once a session that the program is missing, and stops no message for that", async () => {
    const world = createMachine();
    const request = { world, path: createPath(world, false), input: readHostPayload(file, world.project) };
    expect(await runHook(plugin, "UserPromptSubmit", request)).toMatchObject(SILENT);
    const { json, stderr, exitCode } = await runHook(plugin, "SessionStart", request);
    expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
    expect(json).toEqual({ systemMessage: expect.stringContaining("npm install --global") as string });
  });

  test("starts an MCP server that answers", async () => {
    const world = createMachine();
    const path = createPath(world, true);
    const server = readField(readJson("integrations", plugin, ".mcp.json"), "mcpServers", "loopx");
    const { command, args } = server as { readonly command: string; readonly args: string[] };
    const env = { ...world.env, PATH: path };
    const client = new Client({ name: "a-host", version: "1.0.0" });
    await client.connect(new StdioClientTransport({ command, args, cwd: world.project, env, stderr: "ignore" }));
    const { tools } = await client.listTools();
    await client.close();
    expect(tools.map(({ name }) => name)).toContain("quota_should_run");
  });
});

describe("the package for OpenCode", () => {
  const SCRIPT = `
    const { LoopxPlugin, ...others } = await import(process.argv[2]);
    const hooks = await LoopxPlugin({ directory: process.cwd() });
    const config = { command: { "loopx-pr-review": { template: "mine" } }, mcp: { docs: { type: "remote" } } };
    await hooks.config(config);
    const empty = {};
    await hooks.config(empty);
    const command = { parts: [{ type: "text", text: "template" }] };
    await hooks["command.execute.before"]({ command: "loopx", arguments: "Fix $(it)", sessionID: "ses_1" }, command);
    console.log(JSON.stringify({ others, config, empty, parts: command.parts }));
  `;

  /** Runs the package from a folder of its own, as a host loads it. */
  async function load(world: World, path: string): Promise<unknown> {
    const folder = join(world.directory, "node_modules", "opencode-loopx");
    cpSync(join(ROOT, "integrations", "opencode"), folder, { recursive: true });
    const script = join(world.directory, "load-plugin.mjs");
    writeFileSync(script, SCRIPT);
    const entry = join(folder, readText(readJson("integrations", "opencode", "package.json"), "exports", "."));
    const env = { HOME: world.home, PATH: path };
    const words = [script, pathToFileURL(entry).href];
    const { json, stderr } = await runProgram(process.execPath, words, { cwd: world.project, env });
    expect(stderr).not.toContain("Error");
    return json;
  }

  test("has the version of the program", () => {
    const version = readText(readJson("packages", "loopx", "package.json"), "version");
    expect(readText(readJson("integrations", "opencode", "package.json"), "version")).toBe(version);
  });

  test("brings the commands and the server, and leaves what its user configured", async () => {
    const world = createMachine();
    const json = await load(world, createPath(world, true));
    // OpenCode takes every export for a plugin.
    expect(readField(json, "others")).toEqual({});
    expect(readField(json, "config")).toMatchObject({
      command: {
        loopx: { template: expect.stringContaining("# /loopx\n") as string },
        "loopx-pr-review": { template: "mine" },
      },
      mcp: { docs: { type: "remote" }, loopx: { type: "local", command: ["loopx", "mcp"], enabled: true } },
    });
    expect(Object.keys(readField(json, "empty", "command") as object)).toHaveLength(6);
    const text = readText(json, "parts", 0, "text");
    expect(JSON.parse(text.slice(text.indexOf("{")))).toMatchObject({ task_text: "Fix $(it)", thread_id: "ses_1" });
  });

  test("leaves a command as it is where the program is missing", async () => {
    const world = createMachine();
    const json = await load(world, createPath(world, false));
    expect(readField(json, "parts")).toEqual([{ type: "text", text: "template" }]);
  });
});

test("doctor says that LoopX comes by its plugin, and what is there twice", async () => {
  const world = createMachine();
  const settings = join(world.home, ".claude", "settings.json");
  mkdirSync(join(world.home, ".claude"));
  await world.call(["bootstrap", "--project=.", "--objective=x"]);
  const find = async (): Promise<unknown> => {
    const { json } = await world.run(["doctor"]);
    const checks = readField(json, "checks") as readonly { readonly name: string }[];
    return checks.find(({ name }) => name === "Claude Code");
  };
  writeFileSync(settings, '{"enabledPlugins":{"loopx@loopx":true}}');
  const from = "plugin loopx@loopx of ~/.claude/settings.json";
  expect(await find()).toEqual({ name: "Claude Code", state: "ok", found: `LoopX comes by ${from}` });
  writeFileSync(settings, "{}");
  await world.call(["slash-commands", "--install", "--surface=claude-code"]);
  writeFileSync(settings, '{"enabledPlugins":{"loopx@loopx":true}}');
  expect(await find()).toEqual({
    name: "Claude Code",
    state: "warning",
    found: `6 commands stale, there already in ${from}; workflow skill stale, there already in ${from}`,
    remedy: "loopx slash-commands --install --surface=claude-code",
  });
});
