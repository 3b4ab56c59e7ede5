import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { World } from "../../support/cli-world.ts";
import { readField } from "../../support/read-field.ts";
import { ask, askAsOwner, codeOf, connectProject, createMachine, hashTree, SHOULD_RUN } from "./machine.ts";

// What the Python program of this name writes to the same place.
const FOREIGN = '{"schema_version":"0.1","goals":{"old-goal":{"root":"/somewhere"}}}\n';

function registryOf(world: World): string {
  return join(world.loopxHome, "registry.global.json");
}

describe("registry.global.json", () => {
  test.each([
    ["another program's", FOREIGN],
    ["a damaged one", '{"schema_version":"loopx_global_reg'],
    ["one of a newer form", '{"schema_version":"loopx_global_registry_v2","goals":[]}'],
    ["an empty file", ""],
    ["a list", "[]"],
  ])("%s is never replaced", async (_name, content) => {
    const world = createMachine();
    await connectProject(world);
    const path = registryOf(world);
    writeFileSync(path, content);
    const before = hashTree(world.directory);
    for (const words of [
      ["bootstrap", "--new-goal", "--objective=Another"],
      ["register-agent", "--goal-id=project-goal", "--agent-id=other", "--execute"],
      [
        "bind-agent-thread",
        "--goal-id=project-goal",
        "--thread-id=t",
        "--host-surface=codex-app",
        "--agent-id=codex-main",
        "--execute",
      ],
    ]) {
      const answer = await ask(world, words);
      expect({ words, code: codeOf(answer), exitCode: answer.exitCode }).toEqual({
        words,
        code: "foreign_registry",
        exitCode: 5,
      });
      expect(readField(answer.json, "error", "hint")).toContain("LOOPX_HOME");
    }
    expect(await ask(world, ["doctor"])).toMatchObject({
      exitCode: 1,
      stdout: expect.stringContaining("another program"),
    });
    expect(hashTree(world.directory)).toEqual(before);
    expect(await ask(world, SHOULD_RUN)).toMatchObject({ exitCode: 0, json: { decision: "run" } });
    expect(readFileSync(path, "utf8")).toBe(content);
  });

  test("another program's in a home that is ours for the first time: nothing is stored, another LOOPX_HOME helps", async () => {
    const world = createMachine();
    const env = { LOOPX_HOME: join(world.directory, "python") };
    await ask(world, ["bootstrap", "--objective=x"], { env });
    const fresh = world.addProject("fresh");
    rmSync(join(world.directory, "python", "home.db"));
    writeFileSync(join(world.directory, "python", "registry.global.json"), FOREIGN);
    const before = hashTree(world.directory);
    const refused = await ask(world, ["bootstrap", "--objective=x"], { env, cwd: fresh });
    expect({ code: codeOf(refused), exitCode: refused.exitCode }).toEqual({ code: "foreign_registry", exitCode: 5 });
    expect(hashTree(world.directory)).toEqual(before);
    expect(await ask(world, ["bootstrap", "--objective=x"], { cwd: fresh })).toMatchObject({ exitCode: 0 });
  });

  test("a stale or deleted one is harmless: readers ask the database, the next writer brings it back", async () => {
    const world = createMachine();
    await connectProject(world);
    const path = registryOf(world);
    const stale = readFileSync(path, "utf8")
      .replaceAll("project-goal", "gone-goal")
      .replace(/"sequence": \d+/, '"sequence": 1');
    writeFileSync(path, stale);
    const command = ["--registry", path, ...SHOULD_RUN];
    expect(await ask(world, command, { cwd: "/" })).toMatchObject({ exitCode: 0, json: { decision: "run" } });
    rmSync(path);
    expect(await ask(world, command, { cwd: "/" })).toMatchObject({ exitCode: 0, json: { decision: "run" } });
    expect(await ask(world, ["doctor"])).toMatchObject({ exitCode: 0 });
    expect(JSON.parse(readFileSync(path, "utf8"))).toMatchObject({
      goals: [{ goal_id: "project-goal", agent_ids: ["codex-main"] }],
    });
    writeFileSync(path, stale);
    await ask(world, ["register-agent", "--goal-id=project-goal", "--agent-id=second", "--execute"]);
    expect(JSON.parse(readFileSync(path, "utf8"))).toMatchObject({
      goals: [{ goal_id: "project-goal", agent_ids: ["codex-main", "second"] }],
    });
  });
});

describe("--registry", () => {
  test("works word for word as hosts are told, from any directory", async () => {
    const world = createMachine();
    await connectProject(world);
    const line =
      'loopx --format json --registry "$HOME/.codex/loopx/registry.global.json" quota should-run --goal-id project-goal --agent-id codex-main';
    for (const cwd of ["/", world.home, world.addProject("other"), join(world.project, ".git")]) {
      const shell = spawnSync("sh", ["-c", `loopx() { "${process.execPath}" "${world.program}" "$@"; }; ${line}`], {
        cwd,
        env: world.env,
        encoding: "utf8",
      });
      expect(shell).toMatchObject({ status: 0, stderr: "" });
      expect(JSON.parse(shell.stdout)).toMatchObject({ decision: "run", should_run: true, goal_id: "project-goal" });
    }
  });

  test("may come through LOOPX_REGISTRY, and the flag goes before it", async () => {
    const world = createMachine();
    await connectProject(world);
    const env = { LOOPX_REGISTRY: registryOf(world) };
    expect(await ask(world, SHOULD_RUN, { cwd: "/", env })).toMatchObject({ exitCode: 0, json: { decision: "run" } });
    const wrong = { LOOPX_REGISTRY: join(world.directory, "none.json") };
    expect(await ask(world, SHOULD_RUN, { env: wrong })).toMatchObject({
      json: { decision: "repair", code: "file_not_readable" },
    });
    expect(await ask(world, ["--registry", registryOf(world), ...SHOULD_RUN], { cwd: "/", env: wrong })).toMatchObject({
      exitCode: 0,
    });
    expect(await ask(world, SHOULD_RUN, { env: { LOOPX_REGISTRY: "" } })).toMatchObject({ exitCode: 0 });
  });

  test("through a link, and relative to the working directory", async () => {
    const world = createMachine();
    await connectProject(world);
    symlinkSync(registryOf(world), join(world.directory, "registry-link.json"));
    expect(await ask(world, ["--registry=registry-link.json", ...SHOULD_RUN], { cwd: world.directory })).toMatchObject({
      exitCode: 0,
    });
  });

  test("that is foreign, missing or without the goal never runs anything", async () => {
    const world = createMachine();
    await connectProject(world);
    const foreign = join(world.directory, "foreign.json");
    writeFileSync(foreign, FOREIGN);
    const before = hashTree(world.directory);
    for (const [path, code] of [
      [foreign, "foreign_registry"],
      [join(world.directory, "missing.json"), "file_not_readable"],
      [world.directory, "file_not_readable"],
    ] as const) {
      const answer = await ask(world, ["--registry", path, ...SHOULD_RUN]);
      expect({ path, code: codeOf(answer) }).toEqual({
        path,
        code: path === world.directory ? expect.any(String) : code,
      });
      expect(answer).toMatchObject({ json: { should_run: false, decision: "repair" } });
      expect(answer.exitCode).not.toBe(0);
    }
    const unknown = await ask(world, [
      "--registry",
      registryOf(world),
      "quota",
      "should-run",
      "--goal-id=nobody",
      "--agent-id=codex-main",
    ]);
    expect(unknown).toMatchObject({ exitCode: 4, json: { decision: "refused", code: "unknown_goal" } });
    expect(hashTree(world.directory)).toEqual(before);
  });

  test("one that names an untrusted place grants nothing", async () => {
    const world = createMachine();
    await connectProject(world);
    const copy = join(world.directory, "copied.json");
    writeFileSync(copy, readFileSync(registryOf(world)));
    const env = { LOOPX_HOME: join(world.directory, "empty-home") };
    const answer = await ask(world, ["--registry", copy, ...SHOULD_RUN], { env });
    expect(answer).toMatchObject({ exitCode: 3, json: { decision: "repair", code: "project_not_trusted" } });
    expect(existsSync(env.LOOPX_HOME)).toBe(false);
    expect(await askAsOwner(world, ["connect", "--project=."], { env })).toMatchObject({ exitCode: 0 });
  });
});
