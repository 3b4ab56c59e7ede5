import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readField } from "../../support/read-field.ts";
import { ask, askAsOwner, codeOf, connectProject, createMachine, SHOULD_RUN } from "./machine.ts";

const KILL_AFTER_MS = 20_000;

test("a .git that is a pipe, or leads to one, is no repository, and no command waits for it", async () => {
  const world = createMachine();
  const plain = join(world.directory, "plain");
  mkdirSync(plain);
  execFileSync("mkfifo", [join(plain, ".git")]);
  const led = join(world.directory, "led");
  mkdirSync(led);
  execFileSync("mkfifo", [join(led, "commondir")]);
  writeFileSync(join(led, ".git"), `gitdir: ${led}\n`);
  writeFileSync(join(led, "gitdir"), join(led, ".git"));
  for (const cwd of [plain, led]) {
    const answer = await ask(world, ["status"], { cwd, killAfterMs: KILL_AFTER_MS });
    expect([cwd, codeOf(answer)]).toEqual([cwd, "project_not_connected"]);
  }
});

test("a registry or binding that is a pipe, a device or a folder is refused at once", async () => {
  const world = createMachine();
  await connectProject(world);
  const pipe = join(world.directory, "pipe");
  execFileSync("mkfifo", [pipe]);
  const desk = join(world.directory, "desk");
  await world.call(["context", "init", "--id=desk", `--output=${desk}`]);
  for (const path of [pipe, "/dev/zero", world.project, join(world.directory, "none")]) {
    const options = { killAfterMs: KILL_AFTER_MS };
    const decision = await ask(world, SHOULD_RUN, { ...options, env: { LOOPX_REGISTRY: path } });
    expect(decision).toMatchObject({ json: { decision: "repair", code: "file_not_readable" } });
    expect(await ask(world, ["--registry", path, "status"], options)).toMatchObject({
      json: { error: { code: "file_not_readable", details: { field: "registry" } } },
    });
    expect(await ask(world, ["context", "check", `--project=${desk}`, `--binding=${path}`], options)).toMatchObject({
      json: { error: { code: "file_not_readable", details: { field: "binding" } } },
    });
  }
});

test.each([
  ["SIGINT", 130],
  ["SIGTERM", 143],
] as const)("%s ends a command that waits for a stdin that says nothing more", async (signal, exitCode) => {
  const world = createMachine();
  const words = [world.program, "host-parse", "--host-surface=claude-code", "--message=-"];
  const child = spawn(process.execPath, words, {
    cwd: world.project,
    env: world.env,
    stdio: ["pipe", "ignore", "ignore"],
  });
  const timer = setTimeout(() => child.kill("SIGKILL"), KILL_AFTER_MS);
  // More than a pipe holds: when it is gone, the command is reading.
  child.stdin.write("x".repeat(300_000), () => child.kill(signal));
  const ended = await new Promise((resolve) => child.on("exit", resolve));
  clearTimeout(timer);
  expect(ended).toBe(exitCode);
});

test("a pipe or a device in the place of the home's registry is another program's", async () => {
  const world = createMachine();
  mkdirSync(world.loopxHome, { recursive: true });
  execFileSync("mkfifo", [join(world.loopxHome, "registry.global.json")]);
  const refused = await ask(world, ["bootstrap", "--objective=x"], { killAfterMs: KILL_AFTER_MS });
  expect(codeOf(refused)).toBe("foreign_registry");
});

test.each([
  ["a pipe", (path: string): void => void execFileSync("mkfifo", [path])],
  ["a folder", (path: string): void => mkdirSync(path)],
] as const)(
  "%s in the place of a project's store is set aside by a restore, which does not wait for it",
  async (_, make) => {
    const world = createMachine();
    await connectProject(world);
    await world.call(["backup"]);
    const store = join(world.project, ".loopx", "state.db");
    rmSync(store);
    make(store);
    expect(codeOf(await ask(world, ["status"], { killAfterMs: KILL_AFTER_MS }))).toBe("store_corrupt");
    const restored = await askAsOwner(world, ["restore", "--execute"]);
    expect(restored.json).toMatchObject({ ok: true, way: "placed" });
    expect(await ask(world, ["status"])).toMatchObject({ json: { ok: true } });
    expect(
      readdirSync(join(world.project, ".loopx")).filter((name) => name.startsWith("state.db.damaged-")),
    ).toHaveLength(1);
  },
);

test.skipIf(process.platform !== "linux")("a home where no folder can be made is refused at once", async () => {
  const world = createMachine();
  for (const home of ["/proc/1/x", "/proc/1/x/y", "/dev/null/x"]) {
    const refused = await ask(world, ["bootstrap", "--objective=x"], {
      env: { LOOPX_HOME: home },
      killAfterMs: KILL_AFTER_MS,
    });
    expect([home, codeOf(refused)]).toEqual([home, "home_not_writable"]);
    const store = ["context", "turn", "--build=b", "--binding=b", "--consumer=c", "--objective=o", `--store=${home}`];
    expect((await ask(world, store, { killAfterMs: KILL_AFTER_MS })).exitCode).not.toBeNull();
  }
});

test("a registry of our version that holds something else is foreign, and a decision is answered", async () => {
  const world = createMachine();
  await connectProject(world);
  const path = join(world.directory, "registry.json");
  const goal = { goal_id: "project-goal", project_id: "project_1", root: world.project, label: "project" };
  for (const goals of [
    {},
    [null],
    [5],
    [{ ...goal, root: 5 }],
    [{ ...goal, root: "relative" }],
    [{ root: "/" }],
    "x",
  ]) {
    writeFileSync(path, JSON.stringify({ schema_version: "loopx_global_registry_v1", sequence: 1, goals }));
    const decision = await ask(world, ["--registry", path, ...SHOULD_RUN]);
    expect([goals, readField(decision.json, "decision"), codeOf(decision)]).toEqual([
      goals,
      "repair",
      "foreign_registry",
    ]);
    expect(codeOf(await ask(world, ["--registry", path, "status"]))).toBe("foreign_registry");
  }
  writeFileSync(path, JSON.stringify({ schema_version: "loopx_global_registry_v1", sequence: 1, goals: [goal] }));
  expect(await ask(world, ["--registry", path, ...SHOULD_RUN])).toMatchObject({ json: { decision: "run" } });
});
