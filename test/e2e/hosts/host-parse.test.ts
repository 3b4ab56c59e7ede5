import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findSensitive, LIMITS } from "@loopx/contracts";
import { afterAll, describe, expect, test } from "vitest";
import { countOwnBytes } from "../../support/packet-bytes.ts";
import { findRefusedCommands } from "../../support/printed-commands.ts";
import { createShellWorld, digestTrees } from "../../support/shell-world.ts";
import { verifies } from "../../support/verifies.ts";

const world = createShellWorld();
afterAll(world.remove);

const THREAD = "opaque-host-thread-123";

function parse(message: string, ...more: readonly string[]): readonly string[] {
  return ["host-parse", "--host-surface=claude-code", `--message=${message}`, ...more];
}

/** What bare `/loopx` runs, with its project as printed. */
function packCommand(project: string): string {
  return `loopx bootstrap-command-pack ${project}`;
}

describe("host-parse", () => {
  test.each([
    ["/loopx", "/loopx"],
    ["/loopx \n", "/loopx"],
    ["/loopx\nFix it", "/loopx <goal text>"],
  ])("reads %j as %s", async (message, canonical) => {
    verifies("hosts.parse.exact-token", "hosts.parse.bare-is-preview");
    expect(await world.call(parse(message))).toMatchObject({
      canonical_command: canonical,
      protocol: "loopx_goal_command_v0",
    });
  });

  test.each(["Fix it", " /loopx", "/LOOPX", "/loopxyz", "/loopx:x", "／loopx", "/loopx\u3000x", "", "$loopx x"])(
    "leaves %j to the chat",
    async (message) => {
      verifies("hosts.parse.exact-token");
      expect(await world.call(parse(message))).toEqual({
        ok: true,
        schema_version: "loopx_host_parse_v0",
        outcome: "ordinary_chat",
      });
    },
  );

  test.each(["/loopx-deploy", "/loopx-", "/loop-global-deploy now", "/loopx-global-summary\u00a0x"])(
    "fails with the help for %j",
    async (message) => {
      verifies("hosts.parse.unknown-fails-closed");
      const { json, exitCode } = await world.run(parse(message));
      expect(exitCode).toBe(2);
      expect(json).toMatchObject({ ok: false, reason: "unknown_command", help_command: "loopx slash-commands" });
      expect(JSON.stringify(json)).not.toContain("deploy");
      expect(JSON.stringify(json)).not.toContain("/loop-");
    },
  );

  test("reads the message from stdin byte for byte, and its line gives it to the CLI through a real shell", async () => {
    verifies("hosts.parse.text-is-exact", "hosts.cli-is-the-truth");
    const text = `Pay $15,000 "now" for 日本語 '$(id)' \`id\` \\ #\n  two lines\r\n\ttab — ends with space `;
    const packet = await world.call([...parse("-"), `--thread-id=${THREAD}`, `--project=${world.project}`], {
      input: `/loopx  \t${text}`,
    });
    expect(packet).toMatchObject({ task_text: text, raw_command: `/loopx  \t${text}`, thread_id: THREAD });
    const started = await world.shell((packet as { readonly cli_command: string }).cli_command, { cwd: world.project });
    expect(started.json).toMatchObject({
      schema_version: "loopx_start_goal_guided_v0",
      goal_text: text,
      thread_id: THREAD,
      host_surface: "claude-code",
    });
    expect(findRefusedCommands(packet)).toEqual([]);
  });

  test("names the goal and the lane that the thread is bound to, once there are", async () => {
    verifies("hosts.handoff.packet", "project.active-state-id");
    const place = `--project=${world.project}`;
    const own = ["--goal-id=main-goal", "--agent-id=lane-1"];
    await world.call(["bootstrap", place, "--goal-id=main-goal", "--objective=Ship it"]);
    await world.call(["register-agent", ...own, "--execute"]);
    const thread = ["--host-surface=claude-code", `--thread-id=${THREAD}`];
    await world.call(["bind-agent-thread", ...own, ...thread, "--execute"]);
    const before = digestTrees(world.directory);
    const packet = await world.call([...parse("/loopx Fix it"), place, `--thread-id=${THREAD}`]);
    expect(packet).toMatchObject({ goal_id: "main-goal", agent_id: "lane-1", thread_id: THREAD });
    expect(digestTrees(world.directory)).toBe(before);
    const other = await world.call([...parse("/loopx Fix it"), place, "--thread-id=another-thread"]);
    expect(other).not.toHaveProperty("agent_id");
  });

  test("carries no path of the machine and keeps its budget, however the project was named", async () => {
    verifies("hosts.handoff.nothing-private", "project.label-instead-of-path");
    const file = join(world.project, "src", "a.ts");
    mkdirSync(join(world.project, "src"), { recursive: true });
    writeFileSync(file, "");
    const elsewhere = { cwd: world.directory };
    for (const place of [`--project=${world.project}`, `--selected-file=${file}`]) {
      const packet = await world.call([...parse(`/loopx ${"一".repeat(3000)}`), place], elsewhere);
      expect(packet).toMatchObject({ project_root_label: "main repository" });
      expect(findSensitive(JSON.stringify(packet))).toEqual([]);
      expect(JSON.stringify(packet)).not.toContain(world.directory);
      expect(countOwnBytes(packet)).toBeLessThanOrEqual(LIMITS.packetMaxBytes.handoff);
    }
  });

  test("names the project by the way up or down to it, and else says to run in its root", async () => {
    const below = join(world.project, "docs", "guides");
    mkdirSync(below, { recursive: true });
    const ask = async (cwd: string, ...more: string[]): Promise<unknown> =>
      world.call(parse("/loopx", ...more), { cwd });
    expect(await ask(below)).toMatchObject({ cli_command: packCommand("--project=../..") });
    const down = await ask(world.directory, `--selected-file=${join(below, "a.md")}`);
    expect(down).toMatchObject({ cli_command: packCommand("'--project=projects/main repository'") });
    expect(await ask(world.directory, "--project=./projects/main repository")).toMatchObject({
      cli_command: packCommand("'--project=./projects/main repository'"),
    });
    for (const cwd of ["/", world.home]) {
      const across = await ask(cwd, `--project=${world.project}`);
      expect(across).toMatchObject({ cli_command: packCommand("--project=."), run_in: "project_root" });
    }
  });

  test("without a project answers a setup packet and writes nothing", async () => {
    verifies("project.unresolved-root-writes-nothing", "project.home-is-no-project");
    const before = digestTrees(world.directory);
    for (const options of [{ cwd: world.home }, { cwd: "/" }]) {
      expect(await world.call(parse("/loopx Fix it"), options)).toMatchObject({
        ok: true,
        schema_version: "loopx_host_command_setup_v0",
        state: "project_not_resolved",
      });
    }
    expect(digestTrees(world.directory)).toBe(before);
  });

  test("takes the thread that Codex names, and its $ prefix", async () => {
    verifies("identity.codex-thread-id");
    const words = ["host-parse", "--host-surface=codex-app-ssh", "--message=$loopx Fix it"];
    const packet = await world.call(words, { env: { CODEX_THREAD_ID: THREAD } });
    expect(packet).toMatchObject({ command: "/loopx", raw_command: "$loopx Fix it", thread_id: THREAD });
  });

  test("refuses what it can't hand over exactly, with the field and the next step", async () => {
    const bad = Buffer.concat([Buffer.from("/loopx caf"), Buffer.from([0xe9])]);
    const { status, stdout } = spawnSync(
      process.execPath,
      [world.program, "--json", "host-parse", "--host-surface=codex-app", "--message=-"],
      { input: bad, env: { ...world.env }, cwd: world.project, encoding: "utf8" },
    );
    expect(status).toBe(2);
    expect(JSON.parse(stdout)).toMatchObject({ error: { code: "text_not_storable", details: { field: "message" } } });
    for (const [words, code] of [
      [["host-parse", "--host-surface=codex", "--message=/loopx x"], "invalid_value"],
      [parse("/loopx x", "--ui-surface=Chat Box"), "invalid_value"],
      [parse("/loopx x", "--thread-id=a/b"), "invalid_id"],
      [parse("/loopx use ghp_0123456789abcdefghijABCDEFGHIJ012345"), "credential_refused"],
    ] as const) {
      const { json, exitCode } = await world.run(words);
      expect(exitCode).toBe(2);
      expect(json).toMatchObject({ ok: false, error: { code, hint: expect.any(String) } });
    }
  });
});

describe("slash-commands", () => {
  test("shows people the seven commands, and hosts the registry", async () => {
    verifies("fallback.slash-commands", "hosts.registry.minimal-set", "hosts.registry.unknown-policy");
    verifies("hosts.registry.no-extra-aliases", "hosts.parse.legacy-canonicalised");
    const commands = ["/loopx", "/loopx <goal text>", "/loopx-global-summary", "/loopx-global-gates"];
    const all = [...commands, "/loopx-global-todos", "/loopx-global-risks", "/loopx-pr-review"];
    const registry = await world.call(["slash-commands", "--host-registry"]);
    expect(registry).toMatchObject({
      schema_version: "codex_app_host_command_registry_v0",
      host_kind: "codex_app",
      commands: all.map((command) => ({ command })),
      unknown_command_policy: "fail_closed_with_slash_help",
    });
    const catalog = await world.call(["slash-commands"]);
    expect(catalog).toMatchObject({ commands: all.map((command) => ({ command })) });
    expect(JSON.stringify(catalog)).not.toContain("/loop-");
    for (const packet of [registry, catalog]) {
      expect(countOwnBytes(packet)).toBeLessThanOrEqual(2560);
      expect(findRefusedCommands(packet)).toEqual([]);
    }
  });
});
