import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findRefusedCommands } from "../../support/printed-commands.ts";
import { readField, readText } from "../../support/read-field.ts";
import { runProgram, type ProgramResult } from "../../support/run-program.ts";
import { runAtTerminal } from "../../support/run-at-terminal.ts";
import { createShellWorld, digestWorld, WORKTREE_NAME, type ShellWorld } from "../../support/shell-world.ts";
import { verifies } from "../../support/verifies.ts";

const START = "loopx start-goal --guided --project=. --goal-text='Plan it' --host-surface=shell";

let world: ShellWorld;

beforeAll(async () => {
  world = createShellWorld();
  for (const line of [
    "loopx bootstrap --project=. --goal-id=main-goal --objective='Main work'",
    "loopx register-agent --goal-id=main-goal --agent-id=alpha --execute",
  ]) {
    expect(await world.shell(line, { cwd: world.project })).toMatchObject({ exitCode: 0 });
  }
});
afterAll(() => world.remove());

async function preview(line: string, cwd = world.worktree): Promise<ProgramResult> {
  const before = digestWorld(world);
  const result = await world.shell(line, { cwd });
  expect(digestWorld(world), `${line} wrote`).toBe(before);
  expect(findRefusedCommands(result.json)).toEqual([]);
  expect(result.stdout, "a path of the machine").not.toContain(world.directory);
  return result;
}

/** Runs the CLI in the main work tree for a person: text, not JSON. */
function show(...words: readonly string[]): Promise<ProgramResult> {
  return runProgram(process.execPath, [world.program, ...words], { cwd: world.project, env: world.env });
}

describe("a fresh linked worktree of a connected repository", () => {
  test("inherits no goal: start-goal plans for exactly this folder", async () => {
    verifies("project.start-is-exact", "project.label-instead-of-path");
    const { json } = await preview(START);
    expect(readText(json, "goal_id")).toBe("work-goal");
    expect(readText(json, "project_root_label")).toBe(WORKTREE_NAME);
    expect(readField(json, "goal_plan", "mode")).toBe("new_goal");
    expect(JSON.stringify(json)).not.toContain("main-goal");
    expect(JSON.stringify(json)).not.toContain("alpha");
    const there = await preview(START.replace("--project=.", "--project='../リンク work 樹'"), world.worktree);
    expect(readText(there.json, "goal_id")).toBe("work-goal");
    expect(there.stdout).toContain("'--project=../リンク work 樹'");
  });

  test("is followed to its registered source by bootstrap-command-pack, which says so", async () => {
    verifies("project.command-pack-follows-worktree", "commands.bare-loopx-reads", "fallback.bootstrap-command-pack");
    const { json } = await preview("loopx bootstrap-command-pack --project .");
    expect(json).toMatchObject({
      ok: true,
      read_only: true,
      slash_command: "/loopx",
      connection: "connected",
      project_root_label: "main repository",
      followed_worktree_to_label: "main repository",
      goals: [{ goal_id: "main-goal", objective: "Main work", status: "active" }],
    });
    const main = await preview("loopx bootstrap-command-pack --project .", world.project);
    expect(main.json).toMatchObject({ connection: "connected" });
    expect(main.stdout).not.toContain("followed_worktree_to_label");
  });

  test("reaches the goal of the repository by its id with every other command", async () => {
    const added = await world.shell("loopx todo add --goal-id=main-goal --role=agent --text=Work --agent-id=alpha");
    expect(added).toMatchObject({ exitCode: 0 });
    const guard = await world.shell("loopx quota should-run --goal-id=main-goal --agent-id=alpha");
    expect(readField(guard.json, "decision")).toBe("run");
    for (const line of ["loopx status --goal-id=main-goal", "loopx goal show --goal-id=main-goal"]) {
      expect(readField((await preview(line)).json, "project_root_label")).toBe("main repository");
    }
  });

  test("is answered through the global registry in the form hosts call it", async () => {
    verifies("fallback.should-run-registry");
    const line =
      'loopx --format json --registry "$HOME/.codex/loopx/registry.global.json" quota should-run --goal-id main-goal --agent-id alpha';
    const { exitCode, json } = await world.shell(line, { cwd: world.home });
    expect(exitCode).toBe(0);
    expect(readField(json, "decision")).toBe("run");
  });

  test("is shown the goal's id as the active state id", async () => {
    verifies("project.active-state-id");
    for (const words of [["goal", "show"], ["status"], ["bootstrap-command-pack"]]) {
      expect((await show(...words)).stdout).toMatch(/active state id +main-goal/);
    }
    const start = await show(
      "start-goal",
      "--guided",
      "--goal-text=Plan it",
      "--host-surface=shell",
      "--agent-id=alpha",
    );
    expect(start.stdout).toMatch(/active state id +main-goal/);
  });
});

describe("a project whose store is gone or damaged", () => {
  test("is answered with the command that mends it, for the project as the caller named it", async () => {
    verifies("project.start-is-exact");
    const path = join(world.addProject("broken one"), ".loopx", "state.db");
    const there = "--project='../projects/broken one'";
    const start = START.replace("--project=.", there);
    expect(await world.shell(`loopx bootstrap ${there} --objective=x`)).toMatchObject({ exitCode: 0 });
    rmSync(path);
    const gone = await preview(start);
    expect(readField(gone.json, "project_gate", "state")).toBe("store_missing");
    const repair = "loopx restore --execute '--project=../projects/broken one'";
    expect(readField(gone.json, "project_gate", "command")).toBe(repair);
    writeFileSync(path, "not a database");
    const damaged = await preview(start);
    expect(readField(damaged.json, "project_gate", "state")).toBe("store_unreadable");
    expect(readField(damaged.json, "project_gate", "command")).toBe(repair);
    expect(await runAtTerminal(world, repair)).toMatchObject({ exitCode: 0 });
    expect(readField((await preview(start)).json, "goal_plan", "mode")).toBe("existing_goal");
  });
});

describe("a folder that is no project", () => {
  test.each(["/", "$HOME"])("%s gets a setup answer from both commands, and no write", async (folder) => {
    verifies("project.home-is-no-project", "project.unresolved-root-writes-nothing");
    const start = await preview(`cd ${folder} && loopx start-goal --guided --goal-text='Plan it' --host-surface=shell`);
    expect(start).toMatchObject({ exitCode: 0, json: { ok: true, read_only: true } });
    expect(readField(start.json, "project_gate", "state")).toBe("project_not_resolved");
    const named = await preview(START.replace("--project=.", `--project="${folder}"`));
    expect(readField(named.json, "project_gate", "state")).toBe("project_not_resolved");
    const pack = await preview(`cd ${folder} && loopx bootstrap-command-pack`);
    expect(pack).toMatchObject({ exitCode: 0, json: { ok: true, connection: "project_not_resolved" } });
    const bootstrap = await preview(`loopx bootstrap --project="${folder}" --objective=x`);
    expect(readField(bootstrap.json, "error", "code")).toBe("project_not_resolved");
  });

  test("one that does not exist is not made", async () => {
    verifies("project.unresolved-root-writes-nothing");
    const { json } = await preview(START.replace("--project=.", "--project=./missing"));
    expect(readField(json, "project_gate", "state")).toBe("project_not_resolved");
  });

  test("another folder inside the worktree takes nothing from above a repository of its own", async () => {
    const nested = join(world.worktree, "vendor");
    mkdirSync(join(nested, ".git"), { recursive: true });
    const { json } = await preview("loopx bootstrap-command-pack", nested);
    expect(readField(json, "connection")).toBe("not_connected");
  });
});
