import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { World } from "../../support/cli-world.ts";
import { readField } from "../../support/read-field.ts";
import { ask, codeOf, connectProject, createMachine, hashTree, SHOULD_RUN } from "./machine.ts";

const START = ["start-goal", "--guided", "--goal-text=Fix it", "--host-surface=codex-cli-tui"] as const;

function git(world: World, cwd: string, ...words: string[]): void {
  const named = ["-c", "user.name=T", "-c", "user.email=t@example.org", "-c", "core.hooksPath=/dev/null", ...words];
  const done = spawnSync("git", named, { cwd, env: world.env, encoding: "utf8" });
  if (done.status !== 0) throw new Error(`git ${words.join(" ")}: ${done.stderr}`);
}

describe("the root that a command works on", () => {
  test("a symlinked project folder is the same project", async () => {
    const world = createMachine();
    await connectProject(world);
    const link = join(world.directory, "link");
    symlinkSync(world.project, link);
    expect(
      await ask(world, ["todo", "add", "--text=Through the link", `--goal-id=project-goal`], { cwd: link }),
    ).toMatchObject({ exitCode: 0 });
    expect(await ask(world, ["status", `--project=${link}`], { cwd: "/" })).toMatchObject({
      json: { project_root_label: "project", todo_counts: { open: 2 } },
    });
    const again = await ask(world, ["connect", `--project=${link}`], { cwd: world.home });
    expect(again).toMatchObject({ exitCode: 0, json: { project_root_label: "project", goal_ids: ["project-goal"] } });
    expect(await ask(world, ["doctor"])).toMatchObject({ exitCode: 0, json: { ok: true, next: [] } });
  });

  test("a folder of a monorepo finds the nearest registered root", async () => {
    const world = createMachine();
    await connectProject(world);
    const inner = join(world.project, "apps/web/src");
    mkdirSync(inner, { recursive: true });
    expect(await ask(world, ["status"], { cwd: inner })).toMatchObject({ json: { project_root_label: "project" } });
    const made = await ask(world, ["bootstrap", "--project=apps/web", "--objective=The web app"]);
    expect(made).toMatchObject({ exitCode: 0, json: { goal: { goal_id: "web-goal" } } });
    expect(await ask(world, ["status"], { cwd: inner })).toMatchObject({ json: { project_root_label: "web" } });
    expect(await ask(world, ["status"], { cwd: join(world.project, "apps") })).toMatchObject({
      json: { project_root_label: "project" },
    });
    expect(await ask(world, ["status", "--goal-id=project-goal"], { cwd: inner })).toMatchObject({
      json: { project_root_label: "project" },
    });
  });

  test("a repository inside another never reaches the outer project", async () => {
    const world = createMachine();
    await connectProject(world);
    const nested = world.addProject("project/vendor/inner");
    const before = hashTree(world.directory);
    const answer = await ask(world, ["status"], { cwd: nested });
    expect({ code: codeOf(answer), exitCode: answer.exitCode }).toEqual({ code: "project_not_connected", exitCode: 4 });
    expect(await ask(world, ["todo", "add", "--text=x"], { cwd: nested })).toMatchObject({ exitCode: 4 });
    expect(await ask(world, START, { cwd: nested })).toMatchObject({
      exitCode: 0,
      stdout: expect.not.stringContaining("project-goal"),
    });
    expect(hashTree(world.directory)).toEqual(before);
    expect(await ask(world, ["bootstrap", "--objective=Inner"], { cwd: nested })).toMatchObject({
      json: { project_root_label: "inner" },
    });
  });

  test.each(["/", "home"])("%s is never a project", async (place) => {
    const world = createMachine();
    const cwd = place === "home" ? world.home : "/";
    const before = hashTree(world.directory);
    for (const words of [
      ["bootstrap", "--objective=x"],
      ["bootstrap", "--project=.", "--objective=x"],
      ["connect"],
      ["restore"],
      ["status"],
    ]) {
      const answer = await ask(world, words, { cwd });
      expect({ words, code: codeOf(answer), exitCode: answer.exitCode }).toEqual({
        words,
        code: "project_not_resolved",
        exitCode: 4,
      });
    }
    const setup = await ask(world, START, { cwd });
    expect(setup.exitCode).toBe(0);
    expect(JSON.stringify(setup.json)).toContain("project_not_resolved");
    expect(existsSync(join(cwd, ".loopx"))).toBe(false);
    expect(hashTree(world.directory)).toEqual(before);
  });

  test("a home directory reached by another name is refused too, and a .loopx in it is not a root", async () => {
    const world = createMachine();
    const alias = join(world.directory, "alias");
    symlinkSync(world.home, alias);
    expect(await ask(world, ["bootstrap", "--project=../../alias", "--objective=x"])).toMatchObject({ exitCode: 4 });
    expect(existsSync(join(world.home, ".loopx"))).toBe(false);
    mkdirSync(join(world.home, "work"));
    const made = await ask(world, ["bootstrap", "--objective=In a folder without git"], {
      cwd: join(world.home, "work"),
    });
    expect(made).toMatchObject({ exitCode: 0, json: { project_root_label: "work" } });
  });

  test("a folder that does not exist, or is a file, is refused and not made", async () => {
    const world = createMachine();
    for (const folder of ["missing", "missing/deeper", ".git/HEAD"]) {
      for (const words of [
        ["bootstrap", `--project=${folder}`, "--objective=x"],
        ["status", `--project=${folder}`],
      ]) {
        const answer = await ask(world, words);
        expect({ code: codeOf(answer), exitCode: answer.exitCode }).toEqual({
          code: "project_not_resolved",
          exitCode: 4,
        });
      }
    }
    expect(existsSync(join(world.project, "missing"))).toBe(false);
    expect(existsSync(world.loopxHome)).toBe(false);
  });
});

describe("worktrees", () => {
  test("of a bare repository are projects of their own, each answering for itself", async () => {
    const world = createMachine();
    git(world, world.project, "commit", "--allow-empty", "--message=first", "--quiet");
    const bare = join(world.directory, "bare.git");
    git(world, world.directory, "clone", "--bare", "--quiet", world.project, bare);
    for (const name of ["one", "two"])
      git(world, bare, "worktree", "add", "--quiet", "-b", name, join(world.directory, "trees", name));
    const one = join(world.directory, "trees/one");
    const two = join(world.directory, "trees/two");
    expect(await ask(world, ["bootstrap", "--objective=One"], { cwd: one })).toMatchObject({
      json: { goal: { goal_id: "one-goal" } },
    });
    expect(codeOf(await ask(world, ["status"], { cwd: two }))).toBe("project_not_connected");
    expect(codeOf(await ask(world, ["status"], { cwd: bare }))).toBe("project_not_connected");
    expect(await ask(world, ["status", "--goal-id=one-goal"], { cwd: two })).toMatchObject({
      json: { project_root_label: "one" },
    });
    expect(await ask(world, ["bootstrap", "--objective=Two"], { cwd: two })).toMatchObject({
      json: { goal: { goal_id: "two-goal" } },
    });
    expect(await ask(world, ["status"], { cwd: two })).toMatchObject({ json: { project_root_label: "two" } });
  });

  test("a linked worktree works on the goal it names, and start-goal there plans for exactly the worktree", async () => {
    const world = createMachine();
    await connectProject(world);
    git(world, world.project, "commit", "--allow-empty", "--message=first", "--quiet");
    const linked = join(world.directory, "feature branch 中文");
    git(world, world.project, "worktree", "add", "--quiet", "-b", "feature", linked);
    expect(await ask(world, SHOULD_RUN, { cwd: linked })).toMatchObject({ exitCode: 0, json: { decision: "run" } });
    expect(codeOf(await ask(world, ["status"], { cwd: linked }))).toBe("project_not_connected");
    const start = await ask(world, [...START, "--project=."], { cwd: linked });
    expect(JSON.stringify(start.json)).not.toContain("project-goal");
    const pack = await ask(world, ["bootstrap-command-pack", "--project=."], { cwd: linked });
    expect(JSON.stringify(pack.json)).toContain("project-goal");
    expect(existsSync(join(linked, ".loopx"))).toBe(false);
  });

  test("a .git file that leads nowhere is a boundary all the same", async () => {
    const world = createMachine();
    await connectProject(world);
    const broken = join(world.project, "broken");
    mkdirSync(broken);
    writeFileSync(join(broken, ".git"), "gitdir: /nonexistent/git\n");
    expect(codeOf(await ask(world, ["status"], { cwd: broken }))).toBe("project_not_connected");
  });
});

test("two folders of one name get goals of different names, and each answers for its own", async () => {
  const world = createMachine({ projectName: "left/app" });
  const right = world.addProject("right/app");
  const first = await ask(world, ["bootstrap", "--objective=Left"]);
  const second = await ask(world, ["bootstrap", "--objective=Right"], { cwd: right });
  expect(readField(first.json, "goal", "goal_id")).toBe("app-goal");
  expect(readField(second.json, "goal", "goal_id")).toMatch(/^app-goal-[0-9a-z]{4}$/);
  const taken = await ask(world, ["bootstrap", "--new-goal", "--goal-id=app-goal", "--objective=Mine"], { cwd: right });
  expect({ code: codeOf(taken), exitCode: taken.exitCode }).toEqual({ code: "goal_id_taken", exitCode: 1 });
  expect(await ask(world, ["goal", "show"], { cwd: right })).toMatchObject({
    stdout: expect.stringContaining("Right"),
  });
  expect(await ask(world, ["goal", "show", "--goal-id=app-goal"], { cwd: right })).toMatchObject({
    stdout: expect.stringContaining("Left"),
  });
});
