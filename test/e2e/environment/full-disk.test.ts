import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { readField } from "../../support/read-field.ts";
import { ask, codeOf, connectProject, createMachine, hashTree, SHOULD_RUN } from "./machine.ts";

const mayMount = process.platform === "linux" && process.getuid?.() === 0 && tryMount();

function tryMount(): boolean {
  const done = spawnSync("unshare", ["--mount", "mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", "/mnt"]);
  return done.status === 0;
}

/** A folder on a disk of its own, so small that it is soon full. */
function mountSmallDisk(path: string, kib: number): void {
  mkdirSync(path, { recursive: true });
  const done = spawnSync("mount", ["-t", "tmpfs", "-o", `size=${kib}k`, "tmpfs", path], { encoding: "utf8" });
  if (done.status !== 0) throw new Error(done.stderr);
  onTestFinished(() => void spawnSync("umount", ["--lazy", path]));
}

function fill(directory: string): string {
  const path = join(directory, "ballast");
  spawnSync("sh", ["-c", 'cat /dev/zero > "$1" 2>/dev/null', "sh", path]);
  return path;
}

function text(index: number): string {
  return `--text=Todo ${index} ${"x".repeat(3_000)}`;
}

describe.skipIf(!mayMount)("a full disk", () => {
  test("refuses the todo that no longer fits, keeps the earlier ones, and works again after space is freed", async () => {
    const world = createMachine();
    mountSmallDisk(join(world.project, ".loopx"), 512);
    await connectProject(world);
    const ballast = fill(join(world.project, ".loopx"));
    let added = 0;
    let refused = await ask(world, ["todo", "add", text(0)]);
    while (refused.exitCode === 0 && added < 200) {
      added += 1;
      refused = await ask(world, ["todo", "add", text(added)]);
    }
    expect({ code: codeOf(refused), exitCode: refused.exitCode }).toEqual({ code: "store_full", exitCode: 5 });
    expect(await ask(world, ["todo", "list", "--limit=500"])).toMatchObject({
      exitCode: 0,
      json: { total: added + 1 },
    });
    expect(await ask(world, SHOULD_RUN)).toMatchObject({
      exitCode: 5,
      json: { decision: "repair", code: "store_full" },
    });
    expect(readdirSync(join(world.project, ".loopx")).toSorted()).toEqual([".gitignore", "ballast", "state.db"]);
    rmSync(ballast);
    expect(await ask(world, ["todo", "add", text(added)])).toMatchObject({ exitCode: 0 });
    expect(await ask(world, SHOULD_RUN)).toMatchObject({ exitCode: 0, json: { decision: "run" } });
    expect(await ask(world, ["doctor"])).toMatchObject({ exitCode: 0 });
  });

  test.each([
    ["export", "state.jsonl"],
    ["backup", "state-copy.db"],
  ])("leaves no partial file of %s", async (command, name) => {
    const world = createMachine();
    await connectProject(world);
    const disk = join(world.directory, "disk");
    mountSmallDisk(disk, 64);
    fill(disk);
    const answer = await ask(world, [command, `--output=${join(disk, name)}`]);
    expect({ code: codeOf(answer), exitCode: answer.exitCode }).toEqual({ code: "store_full", exitCode: 5 });
    expect(readdirSync(disk)).toEqual(["ballast"]);
    rmSync(join(disk, "ballast"));
    if (command === "export")
      expect(await ask(world, [command, `--output=${join(disk, name)}`])).toMatchObject({ exitCode: 0 });
  });

  test("under the home: nothing is trusted or verified half, and the same calls finish after space is freed", async () => {
    const world = createMachine();
    mountSmallDisk(world.loopxHome, 512);
    await connectProject(world);
    const ballast = fill(world.loopxHome);
    const bind = [
      "bind-agent-thread",
      "--goal-id=project-goal",
      "--thread-id=t",
      "--host-surface=codex-app",
      "--agent-id=codex-main",
      "--execute",
    ];
    const fresh = world.addProject("fresh");
    for (let index = 0; index < 3; index += 1) {
      const answer = await ask(world, ["bootstrap", `--objective=x`], { cwd: fresh });
      expect({ code: codeOf(answer), exitCode: answer.exitCode }).toEqual({ code: "store_full", exitCode: 5 });
    }
    const bound = await ask(world, bind);
    expect({ code: codeOf(bound), exitCode: bound.exitCode }).toEqual({ code: "store_full", exitCode: 5 });
    expect(await ask(world, [...SHOULD_RUN, "--thread-id=t"])).toMatchObject({
      exitCode: 3,
      json: { decision: "repair", code: "binding_not_verified" },
    });
    expect(codeOf(await ask(world, ["status"], { cwd: fresh }))).toBe("project_not_connected");
    rmSync(ballast);
    expect(await ask(world, bind)).toMatchObject({ exitCode: 0, json: { registration_readback: { verified: true } } });
    expect(await ask(world, ["bootstrap", "--objective=x"], { cwd: fresh })).toMatchObject({ exitCode: 0 });
    expect(readField((await ask(world, ["status"], { cwd: fresh })).json, "goal", "goal_id")).toBe("fresh-goal");
  });

  test("a first bootstrap on a full disk leaves the project as it was", async () => {
    const world = createMachine();
    const disk = join(world.directory, "disk");
    mountSmallDisk(disk, 64);
    const project = join(disk, "small");
    mkdirSync(project);
    writeFileSync(join(project, "README.md"), "small\n");
    const ballast = fill(disk);
    const before = hashTree(project);
    const answer = await ask(world, ["bootstrap", "--project=.", "--objective=x"], { cwd: project });
    expect({ code: codeOf(answer), exitCode: answer.exitCode }).toEqual({ code: "store_full", exitCode: 5 });
    const after = [...hashTree(project).keys()].filter((path) => !before.has(path));
    expect(after.filter((path) => path !== ".loopx")).toEqual([]);
    rmSync(ballast);
  });
});
