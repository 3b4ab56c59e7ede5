import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { findSensitive } from "@loopx/contracts";
import { describe, expect, test } from "vitest";
import type { World } from "../../support/cli-world.ts";
import { readHostPayload } from "../../support/host-payload.ts";
import { countOwnBytes } from "../../support/packet-bytes.ts";
import { findRefusedCommands } from "../../support/printed-commands.ts";
import { readField } from "../../support/read-field.ts";
import { runProgram } from "../../support/run-program.ts";
import { digestTrees } from "../../support/shell-world.ts";
import { verifies } from "../../support/verifies.ts";
import { ask, createMachine, read, STRANGER } from "../environment/machine.ts";

const INSTALL = ["slash-commands", "--install"];
const EVERYWHERE = [...INSTALL, "--surface=all"];
const CHECK = ["slash-commands", "--check", "--surface=all"];

interface Result {
  readonly host: string;
  readonly part: string;
  readonly status: string;
  readonly place: string;
  readonly names?: readonly string[];
  readonly saved_as?: readonly string[];
}

function resultsOf(packet: unknown): readonly Result[] {
  return readField(packet, "results") as readonly Result[];
}

function inHome(world: World, path: string): string {
  return readFileSync(join(world.home, path), "utf8");
}

describe("slash-commands --install", () => {
  test("on a fresh machine gives Codex and Claude Code their skills, explicit only in Codex", async () => {
    verifies("fallback.slash-commands-install", "install.codex-skills", "install.claude-skills");
    const world = createMachine();
    const packet = await world.call(INSTALL);
    expect(packet).toMatchObject({ ok: true, operation: "install", dry_run: false, scope: "user", hosts: [] });
    expect(findRefusedCommands(packet)).toEqual([]);
    expect(inHome(world, ".codex/skills/loopx/SKILL.md")).toMatch(/^---\nname: loopx\n/);
    expect(inHome(world, ".codex/skills/loopx/agents/openai.yaml")).toContain("allow_implicit_invocation: false");
    expect(inHome(world, ".claude/skills/loopx/SKILL.md")).toContain("disable-model-invocation: true");
    expect(readdirSync(join(world.home, ".codex")).toSorted()).toEqual(["skills"]);
    expect(await world.call(["slash-commands", "--check"])).toMatchObject({ ok: true, next: [] });
  });

  test("keeps the workflow skill apart from the facade, and open to the agent", async () => {
    verifies("install.facade-beside-workflow-skill");
    const world = createMachine();
    await world.call(INSTALL);
    expect(inHome(world, ".codex/skills/loopx-project/SKILL.md")).toContain("# Working on a LoopX goal");
    expect(existsSync(join(world.home, ".codex/skills/loopx-project/agents"))).toBe(false);
    expect(inHome(world, ".claude/skills/loopx-project/SKILL.md")).toContain("user-invocable: false");
  });

  test("replaces what is managed or generated, and skips a user's file of the name", async () => {
    verifies("install.overwrites-only-own");
    const world = createMachine();
    await world.call(INSTALL);
    const [mine, ours] = [".codex/skills/loopx/SKILL.md", ".claude/skills/loopx/SKILL.md"];
    writeFileSync(join(world.home, mine), "---\nname: loopx\n---\nmy own\n");
    writeFileSync(join(world.home, ours), `${inHome(world, ours)}edited\n`);
    const results = resultsOf(await world.call(INSTALL));
    expect(results.filter(({ part, status }) => part === "facade" && status !== "unchanged")).toMatchObject([
      { host: "codex", status: "skipped_user_file", names: ["loopx"] },
      { host: "claude-code", status: "updated", saved_as: [expect.stringContaining(`~/${ours}.edited-`) as string] },
    ]);
    expect(inHome(world, mine)).toBe("---\nname: loopx\n---\nmy own\n");
  });

  test("answers without a path of this machine, within its budget, and every printed command parses", async () => {
    const world = createMachine({ projectName: "プロ ject" });
    for (const words of [
      [...EVERYWHERE, "--dry-run"],
      EVERYWHERE,
      CHECK,
      ["slash-commands", "--uninstall", "--dry-run"],
    ]) {
      const { json, exitCode } = await ask(world, words);
      expect(exitCode).toBe(0);
      // `~/.codex/…` is a label: the same on every machine. What is absolute, or anything else, is not.
      const labelled = JSON.stringify(json).replaceAll("~/.", "");
      expect(findSensitive(labelled)).toEqual([]);
      expect(findRefusedCommands(json)).toEqual([]);
      expect(countOwnBytes(json, [])).toBeLessThanOrEqual(8192);
    }
  });

  test("previews with a dry run, alone too, and writes nothing", async () => {
    const world = createMachine();
    const before = digestTrees(world.directory);
    const packet = await world.call(["slash-commands", "--dry-run"]);
    expect(new Set(resultsOf(packet).map(({ status }) => status))).toEqual(new Set(["would_create"]));
    expect(readField(packet, "next")).toEqual(["loopx slash-commands --install"]);
    expect(digestTrees(world.directory)).toBe(before);
  });

  test("reads for people in rows, with the next step last", async () => {
    const world = createMachine();
    const text = await read(world, [...EVERYWHERE, "--dry-run"]);
    expect(text).toContain("  would create  prompt hook  ~/.claude/settings.json\n");
    expect(text.trimEnd().split("\n").at(-1)).toBe("  loopx slash-commands --install --surface=all");
    expect(text).not.toContain(world.directory);
    expect(text).toContain("\nAfterwards restart Codex, Claude Code, OpenCode, Cursor, Gemini CLI, then type /loopx");
    expect(await read(world, EVERYWHERE)).toContain("open /hooks there (pending_user_trust)");
    expect(await read(world, ["slash-commands", "--uninstall"])).not.toContain("absent");
    expect(await read(world, ["slash-commands", "--uninstall"])).toBe("nothing of LoopX is there\n");
  });

  test("names the one command that was edited, and the host's own first word", async () => {
    const world = createMachine();
    expect(await read(world, [...INSTALL, "--surface=codex-cli"])).toContain(
      "\nRestart Codex, then type $loopx there.\n",
    );
    const file = join(world.home, ".codex/skills/loopx-pr-review/SKILL.md");
    writeFileSync(file, `${readFileSync(file, "utf8")}edited\n`);
    const check = await read(world, ["slash-commands", "--check", "--surface=codex-cli"]);
    expect(check).toContain("  edited   command loopx-pr-review  ~/.codex/skills\n");
    expect(check).toContain("  current  commands (5)  ~/.codex/skills\n");
    expect(await read(world, ["doctor"])).toContain("command loopx-pr-review edited");
  });

  test("takes codex-cli, the agent type, for that surface of Codex", async () => {
    const [world, other] = [createMachine(), createMachine()];
    await world.call([...INSTALL, "--surface=codex-cli"]);
    await other.call([...INSTALL, "--surface=codex-cli-tui"]);
    expect(inHome(world, ".codex/hooks.json")).toContain("--host-surface=codex-cli-tui");
    expect(inHome(world, ".codex/hooks.json")).toBe(inHome(other, ".codex/hooks.json"));
  });

  test("refuses a place without an operation, and two operations at once", async () => {
    const world = createMachine();
    expect(readField((await world.run(["slash-commands", "--surface=codex"])).json, "error", "code")).toBe(
      "missing_flag",
    );
    expect((await world.run(["slash-commands", "--install", "--uninstall"])).exitCode).toBe(2);
    expect((await world.run([...INSTALL, "--surface=codex-desktop"])).exitCode).toBe(2);
  });

  test("goes on where one host is broken or read-only, says so, and fails", async () => {
    const world = createMachine();
    mkdirSync(join(world.home, ".cursor"));
    writeFileSync(join(world.home, ".cursor/hooks.json"), "{ broken");
    mkdirSync(join(world.home, ".gemini"));
    chmodSync(world.home, 0o777);
    chmodSync(join(world.home, ".gemini"), 0o555);
    chmodSync(join(world.home, ".cursor"), 0o777);
    const uid = STRANGER === undefined ? {} : { uid: STRANGER };
    const { json, exitCode } = await ask(world, EVERYWHERE, uid);
    expect(exitCode).toBe(1);
    expect(readField(json, "ok")).toBe(false);
    const blocked = resultsOf(json).filter(({ status }) => status === "blocked");
    expect(blocked).toMatchObject([
      { host: "cursor", part: "hook", reason: "invalid_json" },
      { host: "gemini", part: "facade", reason: "not_writable" },
      { host: "gemini", part: "workflow_skill", reason: "not_writable" },
      ...blocked.slice(3),
    ]);
    expect(inHome(world, ".cursor/hooks.json")).toBe("{ broken");
    expect(inHome(world, ".claude/skills/loopx/SKILL.md")).toContain("loopx-managed:v1");
  });

  test("is whole after runs that were killed at any moment", async () => {
    const world = createMachine();
    const settings = '{\n  "model": "opus"\n}\n';
    mkdirSync(join(world.home, ".claude"));
    writeFileSync(join(world.home, ".claude/settings.json"), settings);
    for (let delay = 60; delay <= 360; delay += 20) {
      await world.run(EVERYWHERE, { killAfterMs: delay });
      const found = inHome(world, ".claude/settings.json");
      expect(() => JSON.parse(found) as unknown).not.toThrow();
      await world.run(["slash-commands", "--uninstall"], { killAfterMs: 400 - delay });
    }
    await world.call(EVERYWHERE);
    expect(await world.call(CHECK)).toMatchObject({ ok: true });
    await world.call(["slash-commands", "--uninstall"]);
    expect(inHome(world, ".claude/settings.json")).toBe(settings);
  });
});

test("six installations at once leave each entry once, and the user's settings whole", async () => {
  const world = createMachine();
  const settings = '{\n  "ui": { "theme": "dark" }\n}\n';
  mkdirSync(join(world.home, ".gemini"));
  writeFileSync(join(world.home, ".gemini/settings.json"), settings);
  const results = await world.spawnMany(6, () => EVERYWHERE);
  for (const { json } of results) {
    const reasons = resultsOf(json).flatMap((result) =>
      result.status === "blocked" ? [readField(result, "reason")] : [],
    );
    expect(reasons.filter((reason) => reason !== "changed_meanwhile")).toEqual([]);
  }
  await world.call(EVERYWHERE);
  expect(inHome(world, ".gemini/settings.json").match(/hook gemini/g)).toHaveLength(1);
  await world.call(["slash-commands", "--uninstall"]);
  expect(inHome(world, ".gemini/settings.json")).toBe(settings);
});

describe("what is installed", () => {
  const MESSAGE = "/loopx Fix `it` $(touch pwned) '\"\n<b> & 日本 %s \\n\n";

  test.each([
    ["claude-code", ".claude/settings.json", "claude-code.user-prompt-submit.json", "UserPromptSubmit"],
    ["codex", ".codex/hooks.json", "codex.user-prompt-submit.json", "UserPromptSubmit"],
    ["gemini", ".gemini/settings.json", "gemini.before-agent.json", "BeforeAgent"],
    ["cursor", ".cursor/hooks.json", "cursor.before-submit-prompt.json", "beforeSubmitPrompt"],
  ])("as %s's hook answers a command from an environment without PATH", async (host, file, payload, event) => {
    verifies("hosts.parse.preferred-over-skill");
    const world = createMachine();
    await world.call([...INSTALL, `--surface=${host}`]);
    const settings: unknown = JSON.parse(inHome(world, file));
    const group = readField(settings, "hooks", event, "0");
    const command = readField(host === "cursor" ? group : readField(group, "hooks", "0"), "command");
    const { stdout, exitCode } = await runProgram("/bin/sh", ["-c", String(command)], {
      cwd: world.project,
      env: { HOME: world.home },
      input: readHostPayload(payload, world.project, "/loopx Fix it"),
    });
    expect(exitCode).toBe(0);
    expect(stdout).toContain("codex_app_host_command_handoff_v0");
  });

  test("as a facade hands over the exact message by its here-document, where no hook is", async () => {
    verifies("hosts.parse.preferred-over-skill", "hosts.parse.text-is-exact");
    const world = createMachine();
    await world.call([...INSTALL, "--surface=claude-code"]);
    const facade = inHome(world, ".claude/skills/loopx/SKILL.md");
    const [, script = ""] = /```sh\n([\s\S]*?)\n\s*```/.exec(facade) ?? [];
    const lines = script
      .replaceAll(/^ {3}/gm, "")
      .replace("<surface>", "claude-code")
      .replace("/loopx <everything behind the command>", () => MESSAGE);
    const { json, stderr } = await runProgram("/bin/sh", ["-c", lines], { cwd: world.project, env: world.env });
    expect(stderr).toBe("");
    expect(json).toMatchObject({ task_text: MESSAGE.slice("/loopx ".length), canonical_command: "/loopx <goal text>" });
    expect(existsSync(join(world.project, "pwned"))).toBe(false);
  });

  test("as OpenCode's plugin puts the handoff before a command, stops an unknown one and leaves chat alone", async () => {
    verifies("hosts.parse.before-prompt");
    const world = createMachine();
    await world.call([...INSTALL, "--surface=opencode"]);
    const plugin = join(world.home, ".config/opencode/plugins/loopx.js");
    const script = `
      const { LoopxPlugin } = await import(${JSON.stringify(pathToFileURL(plugin).href)});
      const hooks = await LoopxPlugin({ directory: process.cwd() });
      const chat = async (text) => {
        const output = { parts: [{ type: "text", text }] };
        await hooks["chat.message"]({ sessionID: "ses_1" }, output);
        return output.parts[0].text;
      };
      const command = { parts: [{ type: "text", text: "template" }] };
      await hooks["command.execute.before"]({ command: "loopx", arguments: "Fix $(it)", sessionID: "ses_1" }, command);
      const other = { parts: [] };
      await hooks["command.execute.before"]({ command: "review", arguments: "x", sessionID: "ses_1" }, other);
      const refused = await chat("/loopx-deploy now").catch((error) => error.message);
      console.log(JSON.stringify({ parts: command.parts, other, chat: await chat("fix /loopx"), refused }));
    `;
    const file = join(world.directory, "call-plugin.mjs");
    writeFileSync(file, script);
    const { json, stderr } = await runProgram(process.execPath, [file], {
      cwd: world.project,
      env: { HOME: world.home },
    });
    expect(stderr).not.toContain("Error");
    expect(json).toMatchObject({ other: { parts: [] }, chat: "fix /loopx" });
    expect(readField(json, "refused")).toBe(
      "This is no LoopX command, so the message was not passed on to the agent.\nNext: loopx slash-commands",
    );
    const text = String(readField(json, "parts", "0", "text"));
    expect(JSON.parse(text.slice(text.indexOf("{")))).toMatchObject({ task_text: "Fix $(it)", thread_id: "ses_1" });
    expect(readField(json, "parts", "1", "text")).toBe("template");
  });

  test.each([
    ["cursor", ".cursor/mcp.json", ["mcpServers"]],
    ["gemini", ".gemini/settings.json", ["mcpServers"]],
    ["opencode", ".config/opencode/opencode.json", ["mcp"]],
  ])("as %s's MCP entry starts a server from an environment without PATH", async (host, file, path) => {
    const world = createMachine();
    await world.call([...INSTALL, `--surface=${host}`]);
    const settings: unknown = JSON.parse(inHome(world, file));
    const server = readField(settings, ...path, "loopx");
    const [program = "", ...words] = [readField(server, "command"), readField(server, "args") ?? []].flat().map(String);
    const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } };
    const { stdout } = await runProgram(program, words, {
      cwd: world.project,
      env: { HOME: world.home },
      input: `${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params })}\n`,
    });
    expect(JSON.parse(stdout)).toHaveProperty("result.serverInfo.name", "loopx");
  });

  test("names loopx alone where it is on PATH, and Node and file where the host starts it", async () => {
    const world = createMachine();
    const bin = join(world.directory, "bin");
    mkdirSync(bin);
    writeFileSync(join(bin, "loopx"), "#!/bin/sh\n", { mode: 0o755 });
    await world.call(EVERYWHERE, { env: { PATH: `${bin}:${world.env["PATH"] ?? ""}` } });
    expect(inHome(world, ".claude/skills/loopx/SKILL.md")).toContain("allowed-tools: Bash(loopx host-parse *)");
    expect(inHome(world, ".claude/settings.json")).toContain("loopx.cjs hook claude-code");
    expect(inHome(world, ".gemini/commands/loopx.toml")).not.toContain("loopx.cjs");
  });
});

async function hostChecks(world: World): Promise<readonly unknown[]> {
  const { json } = await ask(world, ["doctor"]);
  const checks = readField(json, "checks") as readonly { readonly name: string }[];
  return checks.filter(({ name }) => ["Codex", "Claude Code", "Cursor"].includes(name));
}

function install(host: string): string {
  return `loopx slash-commands --install --surface=${host}`;
}

describe("doctor", () => {
  test("says nothing of hosts that are not on this machine, LoopX's own home in Codex's folder included", async () => {
    const world = createMachine();
    await world.call(["bootstrap", "--project=.", "--objective=x"]);
    expect(existsSync(join(world.home, ".codex/loopx"))).toBe(true);
    expect(await hostChecks(world)).toEqual([]);
  });

  test("says how LoopX stands in each host, with the one command that mends it", async () => {
    const world = createMachine();
    for (const file of [".codex/config.toml", ".claude/history.jsonl", ".cursor/argv.json"]) {
      mkdirSync(join(world.home, file, ".."), { recursive: true });
      writeFileSync(join(world.home, file), "");
    }
    expect(await hostChecks(world)).toEqual([
      { name: "Codex", state: "warning", found: "LoopX is not installed in it", remedy: install("codex") },
      { name: "Claude Code", state: "warning", found: "LoopX is not installed in it", remedy: install("claude-code") },
      { name: "Cursor", state: "warning", found: "LoopX is not installed in it", remedy: install("cursor") },
    ]);
    await world.call(INSTALL);
    expect((await hostChecks(world)).map((check) => readField(check, "state"))).toEqual(["ok", "ok", "ok"]);
    writeFileSync(join(world.home, ".claude/settings.json"), "{");
    writeFileSync(
      join(world.home, ".codex/skills/loopx/SKILL.md"),
      `${inHome(world, ".codex/skills/loopx/SKILL.md")}x`,
    );
    rmSync(join(world.home, ".cursor/hooks.json"));
    expect(await hostChecks(world)).toMatchObject([
      { state: "warning", found: "command loopx edited", remedy: install("codex") },
      {
        state: "warning",
        found: expect.stringContaining("~/.claude/settings.json is no valid JSON; mend it first") as string,
      },
      { state: "warning", found: "prompt hook missing", remedy: install("cursor") },
    ]);
    const { exitCode } = await ask(world, ["slash-commands", "--check"]);
    expect(exitCode).toBe(1);
  });
});
