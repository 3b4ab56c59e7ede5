import { cpSync, existsSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { BACK_TO_FIRST_SCHEMA } from "../../support/first-schema.ts";
import type { World } from "../../support/cli-world.ts";
import { readField } from "../../support/read-field.ts";
import { runSql } from "../../support/run-sql.ts";
import { ask, askAsOwner, codeOf, connectProject, createMachine, hashTree, nextOf, SHOULD_RUN } from "./machine.ts";

/** A folder with a store in it, as it comes with a clone on a machine that has never seen it. */
async function cloneElsewhere(
  world: World,
): Promise<{ readonly cwd: string; readonly env: { readonly LOOPX_HOME: string } }> {
  await connectProject(world);
  const marker = JSON.stringify(["touch", join(world.directory, "ran")]);
  await world.call(["todo", "add", "--role=agent", "--text=Run me", "--priority=P0", `--validation-command=${marker}`]);
  const cwd = join(world.directory, "clones", "project");
  cpSync(world.project, cwd, { recursive: true });
  return { cwd, env: { LOOPX_HOME: join(world.directory, "other-home") } };
}

/** Runs the command that an answer names, at the owner's terminal. */
function runNext(
  world: World,
  command: string,
  options: { readonly cwd: string; readonly env?: Readonly<Record<string, string>> },
) {
  const words = /loopx (.+)$/.exec(command)?.[1]?.split(" ") ?? [];
  return askAsOwner(world, words, options);
}

describe("a cloned repository that carries a store", () => {
  test("of an older schema is not even migrated before an owner has connected it", async () => {
    const world = createMachine();
    const place = await cloneElsewhere(world);
    runSql(join(place.cwd, ".loopx", "state.db"), BACK_TO_FIRST_SCHEMA);
    const before = hashTree(place.cwd);
    for (const words of [
      ["todo", "add", "--text=x"],
      ["goal", "pause"],
      ["connect", "--project=."],
    ]) {
      expect([words, codeOf(await ask(world, words, place))]).toEqual([words, "project_not_trusted"]);
    }
    expect(await ask(world, SHOULD_RUN, place)).toMatchObject({ json: { code: "project_not_trusted" } });
    expect(hashTree(place.cwd)).toEqual(before);
    expect(await askAsOwner(world, ["connect", "--project=."], place)).toMatchObject({ exitCode: 0 });
    expect(await ask(world, ["status"], place)).toMatchObject({ exitCode: 0 });
  });

  test("can be read; nothing in it is followed; an agent cannot connect it, an owner can", async () => {
    const world = createMachine();
    const place = await cloneElsewhere(world);
    const before = hashTree(place.cwd);
    for (const words of [["status"], ["history"], ["todo", "list"], ["goal", "list"]]) {
      expect(await ask(world, words, place)).toMatchObject({ exitCode: 0, json: { ok: true } });
    }
    const decision = await ask(world, SHOULD_RUN, place);
    expect(decision).toMatchObject({
      exitCode: 3,
      json: { decision: "repair", should_run: false, code: "project_not_trusted" },
    });
    expect(decision.stdout).not.toContain("Run me");
    const start = await ask(
      world,
      ["start-goal", "--guided", "--goal-text=Fix it", "--host-surface=codex-cli-tui"],
      place,
    );
    expect(start.stdout).toContain("project_not_trusted");
    for (const words of [
      ["connect", "--project=."],
      ["connect", "--project=.", "--new-id"],
      ["bootstrap", "--new-goal", "--objective=Mine"],
    ]) {
      const refused = await ask(world, words, place);
      expect({ words, code: codeOf(refused), exitCode: refused.exitCode }).toEqual({
        words,
        code: "project_not_trusted",
        exitCode: 3,
      });
    }
    const owner = { ...place.env, CODEX_THREAD_ID: "thr-1" };
    expect(codeOf(await askAsOwner(world, ["connect", "--project=."], { cwd: place.cwd, env: owner }))).toBe(
      "project_not_trusted",
    );
    expect(hashTree(place.cwd)).toEqual(before);

    expect(await runNext(world, nextOf(decision), place)).toMatchObject({
      exitCode: 0,
      json: { ok: true, goal_ids: ["project-goal"] },
    });
    expect(await ask(world, SHOULD_RUN, place)).toMatchObject({
      exitCode: 0,
      json: { decision: "run", todo: { text: "Run me" } },
    });
  });

  test("its validation command is not run, and the todo stays open", async () => {
    const world = createMachine();
    const place = await cloneElsewhere(world);
    const todos = await ask(world, ["todo", "list"], place);
    const before = hashTree(place.cwd);
    const complete = [
      "todo",
      "complete",
      `--todo-id=${String(readField(todos.json, "todos", 0, "todo_id"))}`,
      "--agent-id=codex-main",
      "--evidence=Done",
      "--no-follow-up",
    ];
    const refused = await ask(world, complete, place);
    expect({ code: codeOf(refused), exitCode: refused.exitCode }).toEqual({ code: "project_not_trusted", exitCode: 3 });
    expect(existsSync(join(world.directory, "ran"))).toBe(false);
    expect(hashTree(place.cwd)).toEqual(before);
    await askAsOwner(world, ["connect", "--project=."], place);
    expect(await ask(world, complete, place)).toMatchObject({ exitCode: 0, json: { ok: true } });
    expect(existsSync(join(world.directory, "ran"))).toBe(true);
  });
});

describe("a project at another place than this machine knows", () => {
  test("one that was moved says so, and the command it names mends it", async () => {
    const world = createMachine();
    await connectProject(world);
    const moved = join(world.directory, "moved");
    renameSync(world.project, moved);
    const decision = await ask(world, SHOULD_RUN, { cwd: moved });
    expect(decision).toMatchObject({ exitCode: 3, json: { decision: "repair", code: "project_not_trusted" } });
    expect(readField(decision.json, "message")).toContain("another path");
    expect(await ask(world, [...nextOf(decision).split(" ").slice(1)], { cwd: moved })).toMatchObject({ exitCode: 0 });
    expect(await ask(world, SHOULD_RUN, { cwd: moved })).toMatchObject({ exitCode: 0, json: { decision: "run" } });
    expect(await ask(world, SHOULD_RUN, { cwd: "/" })).toMatchObject({ exitCode: 0, json: { decision: "run" } });
  });

  test("a copy with the same id is refused; --new-id gives it ids of its own and leaves the first alone", async () => {
    const world = createMachine();
    await connectProject(world);
    const copy = join(world.directory, "copy");
    cpSync(world.project, copy, { recursive: true });
    const before = hashTree(world.directory);
    for (const caller of [ask, askAsOwner]) {
      const conflict = await caller(world, ["connect", "--project=."], { cwd: copy });
      expect({ code: codeOf(conflict), exitCode: conflict.exitCode }).toEqual({
        code: "project_id_conflict",
        exitCode: 1,
      });
      expect(nextOf(conflict)).toContain("loopx connect --new-id");
    }
    const refused = await ask(world, ["connect", "--project=.", "--new-id"], { cwd: copy });
    expect({ code: codeOf(refused), exitCode: refused.exitCode }).toEqual({ code: "project_not_trusted", exitCode: 3 });
    expect(hashTree(world.directory)).toEqual(before);

    const mended = await askAsOwner(world, ["connect", "--project=.", "--new-id"], { cwd: copy });
    const goalId = String(readField(mended.json, "goal_ids", 0));
    expect(goalId).toMatch(/^project-goal-[0-9a-z]{4}$/);
    const own = ["quota", "should-run", `--goal-id=${goalId}`, "--agent-id=codex-main"];
    expect(await ask(world, own, { cwd: copy })).toMatchObject({
      exitCode: 0,
      json: { decision: "run", goal_id: goalId },
    });
    expect(await ask(world, SHOULD_RUN)).toMatchObject({
      exitCode: 0,
      json: { decision: "run", goal_id: "project-goal" },
    });
    expect(await ask(world, SHOULD_RUN, { cwd: "/" })).toMatchObject({
      exitCode: 0,
      json: { goal_id: "project-goal" },
    });
    expect(await ask(world, ["history", "--at=1"], { cwd: copy })).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining(goalId),
    });
    expect(await ask(world, ["doctor"], { cwd: copy })).toMatchObject({ exitCode: 0 });
    expect(await askAsOwner(world, ["connect", "--project=.", "--new-id"], { cwd: copy })).toMatchObject({
      json: { goal_ids: [goalId] },
    });
  });

  test("--new-id where there is no copy changes nothing", async () => {
    const world = createMachine();
    await connectProject(world);
    const before = hashTree(world.project);
    expect(await ask(world, ["connect", "--project=.", "--new-id"])).toMatchObject({
      exitCode: 0,
      json: { goal_ids: ["project-goal"] },
    });
    expect(hashTree(world.project)).toEqual(before);
    expect(await ask(world, SHOULD_RUN)).toMatchObject({ exitCode: 0, json: { decision: "run" } });
  });

  test("a clone whose goal has the id of another project's does not take it over", async () => {
    const world = createMachine();
    await connectProject(world);
    const other = createMachine();
    await connectProject(other);
    const clone = join(world.directory, "clone");
    cpSync(other.project, clone, { recursive: true });
    const refused = await askAsOwner(world, ["connect", "--project=."], { cwd: clone });
    expect({ code: codeOf(refused), exitCode: refused.exitCode }).toEqual({ code: "goal_id_taken", exitCode: 1 });
    expect(await ask(world, ["goal", "show", "--goal-id=project-goal"], { cwd: "/" })).toMatchObject({ exitCode: 0 });
    expect(await runNext(world, nextOf(refused), { cwd: clone })).toMatchObject({ exitCode: 0 });
    expect(await ask(world, SHOULD_RUN, { cwd: "/" })).toMatchObject({ exitCode: 0, json: { decision: "run" } });
  });
});

test("after git clean the answer is store_missing, and the command it names brings the project back", async () => {
  const world = createMachine();
  await connectProject(world);
  await world.call(["backup"]);
  rmSync(join(world.project, ".loopx"), { recursive: true });
  const before = hashTree(world.directory);
  for (const words of [["status"], ["todo", "add", "--text=x"], ["todo", "list", "--goal-id=project-goal"]]) {
    const answer = await ask(world, words);
    expect({ words, code: codeOf(answer), exitCode: answer.exitCode }).toEqual({
      words,
      code: "store_missing",
      exitCode: 5,
    });
  }
  const decision = await ask(world, SHOULD_RUN);
  expect(decision).toMatchObject({
    exitCode: 5,
    json: { decision: "repair", code: "store_missing", next: ["loopx restore --execute"] },
  });
  expect(codeOf(await ask(world, nextOf(decision).split(" ").slice(1)))).toBe("gate_needs_owner");
  expect(await ask(world, ["restore", "--project=."])).toMatchObject({ exitCode: 0, json: { written: false } });
  expect(await ask(world, ["doctor"])).toMatchObject({ exitCode: 1, stdout: expect.stringContaining("loopx restore") });
  expect(hashTree(world.directory)).toEqual(before);
  expect(await runNext(world, nextOf(decision), { cwd: world.project })).toMatchObject({
    exitCode: 0,
    json: { written: true },
  });
  expect(await ask(world, SHOULD_RUN)).toMatchObject({
    exitCode: 0,
    json: { decision: "run", todo: { text: "Parse quoted fields" } },
  });
  expect(await ask(world, ["doctor"])).toMatchObject({ exitCode: 0 });
});
