import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { spawn } from "@lydell/node-pty";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createWorld, type World } from "../../support/cli-world.ts";
import { readField, readText } from "../../support/read-field.ts";

let world: World;
beforeEach(() => {
  world = createWorld();
});
afterEach(() => world.remove());

describe("init at a terminal", () => {
  test("asks three questions and leaves a goal, the host's command and hook, and a ready project", async () => {
    const path = addProgram("claude");
    const { shown, exitCode } = await converse({ PATH: path }, [
      ["What do you want done? ", ""],
      ["What do you want done? ", "Ship the importer"],
      ["2  Claude Code  (found)", "7"],
      ["0 for none [those found]: ", ""],
      ["[Y/n] ", "y"],
    ]);
    expect(exitCode).toBe(0);
    expect(shown).toContain("installed in Claude Code");
    expect(shown).toContain("/loopx Ship the importer");
    expect(readFileSync(join(world.home, ".claude", "settings.json"), "utf8")).toContain("claude-code");
    expect(existsSync(join(world.home, ".claude", "skills", "loopx", "SKILL.md"))).toBe(true);
    expect(await world.call(["goal", "list"])).toMatchObject({ goals: [{ objective: "Ship the importer" }] });
    const doctor = await world.call(["doctor"], { env: { PATH: path } });
    expect(doctor).toMatchObject({ ok: true, next: [] });
  });

  test("keeps the goal that is there, and writes into no host without a yes", async () => {
    await world.call(["bootstrap", "--objective=Ship the importer"]);
    const { shown, exitCode } = await converse({}, [
      ["Which agents do you use?", "1 2"],
      ["Codex, Claude Code? Your own settings stay. [Y/n] ", "no"],
    ]);
    expect(exitCode).toBe(0);
    expect(shown).not.toContain("What do you want done?");
    expect(shown).toContain("was there already");
    expect(existsSync(join(world.home, ".claude"))).toBe(false);
    expect(existsSync(join(world.home, ".codex", "hooks.json"))).toBe(false);
  });

  test("writes nothing when the input ends before the answers", async () => {
    const { shown, exitCode } = await converse({}, [["What do you want done? ", "\u0004"]]);
    expect(exitCode).toBe(130);
    expect(shown).toContain("the input ended before the question was answered");
    expect(existsSync(join(world.project, ".loopx"))).toBe(false);
  });

  test("asks an agent nothing", async () => {
    const { shown, exitCode } = await converse({ CLAUDECODE: "1" }, []);
    expect(exitCode).toBe(2);
    expect(shown).toContain("--goal-text");
  });
});

describe("init without a terminal", () => {
  test("needs to be told what is to be done", async () => {
    const { exitCode, json } = await world.run(["init"]);
    expect(exitCode).toBe(2);
    expect(readField(json, "error")).toMatchObject({ code: "missing_flag", details: { flags: ["--goal-text"] } });
    expect(existsSync(join(world.project, ".loopx"))).toBe(false);
  });

  test("takes everything by flags, and again changes nothing", async () => {
    const flags = ["init", "--goal-text=Ship it", "--surface=gemini", "--surface=cursor"];
    const preview = await world.call([...flags, "--dry-run"]);
    expect(preview).toMatchObject({ dry_run: true, would_write: expect.arrayContaining([".loopx/state.db"]) });
    expect(existsSync(join(world.project, ".loopx"))).toBe(false);
    const first = await world.call(flags);
    expect(first).toMatchObject({ ok: true, goal_created: true, hosts: ["gemini", "cursor"] });
    expect(readField(first, "say_in_host", 0)).toEqual({ host: "gemini", message: "/loopx Ship it" });
    expect(existsSync(join(world.home, ".gemini", "commands", "loopx.toml"))).toBe(true);
    const again = await world.call(flags);
    expect(again).toMatchObject({ goal_id: readText(first, "goal_id"), goal_created: false });
    const installed = readField(again, "installed") as readonly { readonly status: string }[];
    expect(new Set(installed.map(({ status }) => status))).toEqual(new Set(["unchanged"]));
  });

  test("installs nowhere with none, which stands alone", async () => {
    const made = await world.call(["init", "--goal-text=Ship it", "--surface=none"]);
    expect(made).toMatchObject({
      hosts: [],
      next: [expect.stringContaining("bootstrap-command-pack"), "loopx doctor"],
    });
    expect(made).not.toHaveProperty("installed");
    const both = await world.run(["init", "--surface=none", "--surface=cursor"]);
    expect(both).toMatchObject({ exitCode: 2, json: { error: { code: "invalid_value" } } });
  });
});

/** A program of this name before all others on PATH. */
function addProgram(name: string): string {
  const folder = join(world.directory, "programs");
  mkdirSync(folder);
  writeFileSync(join(folder, name), "#!/bin/sh\n");
  chmodSync(join(folder, name), 0o755);
  return `${folder}:${world.env["PATH"] ?? ""}`;
}

/** Answers each prompt once it stands on the terminal; then the command is to end by itself. */
async function converse(
  env: Readonly<Record<string, string>>,
  answers: readonly (readonly [prompt: string, typed: string])[],
): Promise<{ readonly shown: string; readonly exitCode: number }> {
  const terminal = spawn(process.execPath, [world.program, "init"], {
    cwd: world.project,
    env: { ...world.env, ...env },
    cols: 200,
  });
  let shown = "";
  let read = 0;
  let at = 0;
  terminal.onData((text) => {
    shown += text;
    const [prompt, typed] = answers[at] ?? [];
    if (prompt === undefined || typed === undefined) return;
    const found = shown.indexOf(prompt, read);
    if (found === -1) return;
    read = found + prompt.length;
    at += 1;
    terminal.write(typed === "\u0004" ? typed : `${typed}\r`);
  });
  const exitCode = await new Promise<number>((resolve) => terminal.onExit((exit) => resolve(exit.exitCode)));
  expect(at).toBe(answers.length);
  return { shown, exitCode };
}
