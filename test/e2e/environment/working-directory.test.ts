import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import type { World } from "../../support/cli-world.ts";
import { runProgram, type ProgramResult } from "../../support/run-program.ts";
import { codeOf, createMachine } from "./machine.ts";

const CLI = ["--json", "status"];

test("in a working directory that was deleted a command says so, and what needs no folder works", async () => {
  const world = createMachine();
  const refused = [
    CLI,
    ["--json", "quota", "should-run", "--goal-id=goal-1", "--agent-id=codex-main"],
    ["--json", "todo", "list"],
  ];
  for (const words of [...refused, ["--json", "bootstrap", "--objective=x"]]) {
    const answer = await runInDeleted(world, words);
    expect([words, codeOf(answer), answer.exitCode, answer.stderr]).toEqual([words, "project_not_resolved", 4, ""]);
    expect(answer.stdout).toContain("go to a folder that exists");
    expect(answer.stdout).not.toContain(world.directory);
  }
  const text = await runInDeleted(world, ["status"]);
  expect(text).toMatchObject({ exitCode: 4, stdout: "", stderr: expect.stringMatching(/^error: .*\n {2}next: .*\n$/) });
  for (const words of [
    ["--help"],
    ["help", "todo"],
    ["--version"],
    ["version", "--json"],
    ["completion", "bash"],
    [],
  ]) {
    const answer = await runInDeleted(world, words);
    expect([words, answer.exitCode, answer.stderr]).toEqual([words, 0, ""]);
  }
});

test("a hook that names the folder itself is answered in a working directory that was deleted", async () => {
  const world = createMachine();
  const payload = { hook_event_name: "UserPromptSubmit", session_id: "s", cwd: world.project, prompt: "/loopx" };
  const answer = await runInDeleted(world, ["hook", "claude-code"], JSON.stringify(payload));
  expect(answer).toMatchObject({ exitCode: 0, stderr: "" });
  expect(answer.stdout).toContain("additionalContext");
});

test("what fails before any program runs is said in one line, without stack or folder", async () => {
  const world = createMachine();
  const copy = join(world.directory, "copy");
  cpSync(dirname(dirname(world.program)), copy, { recursive: true });
  writeFileSync(join(copy, "dist", "whole.cjs"), "throw new Error(__filename)");
  for (const words of [["status"], ["status", "--json"]]) {
    const answer = await runProgram(process.execPath, [join(copy, "bin", "loopx.cjs"), ...words], {
      cwd: world.project,
      env: world.env,
    });
    expect([words, answer.exitCode]).toEqual([words, 70]);
    expect(`${answer.stdout}${answer.stderr}`).not.toContain(world.directory);
    expect(answer.stderr.split("\n").length).toBeLessThanOrEqual(2);
    if (words.includes("--json")) expect(codeOf(answer)).toBe("internal");
    else expect(answer.stderr).toMatch(/^error: /);
  }
});

async function runInDeleted(world: World, words: readonly string[], input?: string): Promise<ProgramResult> {
  const folder = join(world.directory, "gone");
  mkdirSync(folder, { recursive: true });
  const script = 'cd "$1" && rmdir "$1" && shift && exec "$@"';
  const args = ["-c", script, "sh", folder, process.execPath, world.program, ...words];
  return runProgram("sh", args, { cwd: world.directory, env: world.env, input });
}
