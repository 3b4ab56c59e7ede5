import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readField } from "../../support/read-field.ts";
import type { World } from "../../support/cli-world.ts";
import {
  ask,
  codeOf,
  connectProject,
  createMachine,
  giveToStranger,
  hashTree,
  nextOf,
  setWritable,
  SHOULD_RUN,
  STRANGER,
} from "./machine.ts";

const AS_STRANGER = STRANGER === undefined ? {} : { uid: STRANGER };
const BIND = [
  "bind-agent-thread",
  "--goal-id=project-goal",
  "--thread-id=thr-1",
  "--host-surface=codex-app",
  "--agent-id=codex-main",
  "--execute",
] as const;

async function createConnected(): Promise<World> {
  const world = createMachine();
  await connectProject(world);
  return world;
}

function close(world: World, closed: readonly ("home" | "project")[]): void {
  for (const place of ["home", "project"] as const) {
    giveToStranger(world[place]);
    if (closed.includes(place)) setWritable(world[place], false);
  }
}

const CLOSED = [["project"], ["home"], ["home", "project"]] as const;

describe("what cannot be written can still be read", () => {
  test.each(CLOSED.map((closed) => ({ closed, name: closed.join(" and ") })))(
    "with a read-only $name",
    async ({ closed }) => {
      const world = await createConnected();
      close(world, closed);
      const before = hashTree(world.directory);
      for (const words of [
        ["status"],
        ["history"],
        ["goal", "list"],
        ["todo", "list"],
        ["quota", "status"],
        ["gate", "list"],
        ["export"],
      ]) {
        const answer = await ask(world, words, AS_STRANGER);
        expect({ words, exitCode: answer.exitCode, json: answer.json }).toMatchObject({
          exitCode: 0,
          json: { ok: true },
        });
      }
      expect(hashTree(world.directory)).toEqual(before);
      const doctor = await ask(world, ["doctor"], AS_STRANGER);
      expect(JSON.stringify(doctor.json)).toContain("cannot be written from here");
    },
  );
});

describe("should-run in a store that cannot be written", () => {
  test("answers repair with store_read_only where it would have to open a turn", async () => {
    const world = await createConnected();
    close(world, ["project"]);
    const before = hashTree(world.directory);
    const answer = await ask(world, SHOULD_RUN, AS_STRANGER);
    expect(answer).toMatchObject({
      exitCode: 5,
      json: { ok: false, decision: "repair", should_run: false, code: "store_read_only" },
    });
    expect(hashTree(world.directory)).toEqual(before);
  });

  test("answers paused, done and wait, which open no turn", async () => {
    const world = await createConnected();
    const todoId = String(readField(await world.call(["todo", "list"]), "todos", 0, "todo_id"));
    await world.call([
      "todo",
      "defer",
      `--todo-id=${todoId}`,
      "--agent-id=codex-main",
      "--resume=after:2099-01-01T00:00:00Z",
    ]);
    close(world, ["project"]);
    expect(await ask(world, SHOULD_RUN, AS_STRANGER)).toMatchObject({
      exitCode: 0,
      json: { decision: "wait", should_run: false },
    });
    setWritable(world.project, true);
    await world.call(["goal", "pause", "--goal-id=project-goal"]);
    close(world, ["project"]);
    expect(await ask(world, SHOULD_RUN, AS_STRANGER)).toMatchObject({ exitCode: 0, json: { decision: "paused" } });

    const finished = await createConnected();
    const last = String(readField(await finished.call(["todo", "list"]), "todos", 0, "todo_id"));
    await finished.call([
      "todo",
      "complete",
      `--todo-id=${last}`,
      "--agent-id=codex-main",
      "--evidence=Done",
      "--no-follow-up",
    ]);
    close(finished, ["project"]);
    expect(await ask(finished, SHOULD_RUN, AS_STRANGER)).toMatchObject({
      exitCode: 0,
      json: { decision: "done", reason: "goal_completed" },
    });
  });

  test("needs no home that can be written", async () => {
    const world = await createConnected();
    close(world, ["home"]);
    expect(await ask(world, SHOULD_RUN, AS_STRANGER)).toMatchObject({ exitCode: 0, json: { decision: "run" } });
  });
});

describe("a write that cannot be done whole is not begun", () => {
  test.each([
    { words: ["todo", "add", "--text=More"], code: "store_read_only" },
    { words: ["goal", "pause"], code: "store_read_only" },
    { words: [...BIND], code: "store_read_only" },
    { words: ["register-agent", "--goal-id=project-goal", "--agent-id=other", "--execute"], code: "store_read_only" },
    { words: ["bootstrap", "--project=.", "--new-goal", "--objective=Another"], code: "store_read_only" },
  ])("with a read-only project: $words.0 $words.1", async ({ words, code }) => {
    const world = await createConnected();
    close(world, ["project"]);
    const before = hashTree(world.directory);
    const answer = await ask(world, words, AS_STRANGER);
    expect({ code: codeOf(answer), exitCode: answer.exitCode }).toEqual({ code, exitCode: 5 });
    expect(readField(answer.json, "error", "hint")).toBeTypeOf("string");
    expect(hashTree(world.directory)).toEqual(before);
  });

  test.each([
    { words: [...BIND] },
    { words: ["register-agent", "--goal-id=project-goal", "--agent-id=other", "--execute"] },
    { words: ["bootstrap", "--project=.", "--new-goal", "--objective=Another"] },
  ])("with a read-only home: $words.0", async ({ words }) => {
    const world = await createConnected();
    close(world, ["home"]);
    const before = hashTree(world.directory);
    const answer = await ask(world, words, AS_STRANGER);
    expect({ code: codeOf(answer), exitCode: answer.exitCode }).toEqual({ code: "home_not_writable", exitCode: 5 });
    expect(readField(answer.json, "error", "hint")).toContain("writable_roots");
    expect(hashTree(world.directory)).toEqual(before);
    setWritable(world.home, true);
    expect(await ask(world, words, AS_STRANGER)).toMatchObject({ exitCode: 0 });
  });

  test("the first bootstrap stores nothing where the home cannot be made", async () => {
    const world = createMachine();
    close(world, ["home"]);
    const before = hashTree(world.directory);
    const answer = await ask(world, ["bootstrap", "--project=.", "--objective=Ship"], AS_STRANGER);
    expect({ code: codeOf(answer), exitCode: answer.exitCode }).toEqual({ code: "home_not_writable", exitCode: 5 });
    expect(hashTree(world.directory)).toEqual(before);
  });

  test("the first bootstrap in a read-only project says so and leaves no home entry", async () => {
    const world = createMachine();
    close(world, ["project"]);
    const answer = await ask(world, ["bootstrap", "--project=.", "--objective=Ship"], AS_STRANGER);
    expect(answer.exitCode).toBe(6);
    expect(codeOf(answer)).toBe("file_not_writable");
    expect(
      await ask(world, ["goal", "list", "--registry", join(world.loopxHome, "registry.global.json")], AS_STRANGER),
    ).toMatchObject({ stdout: expect.not.stringContaining("project-goal") });
    expect(nextOf(answer)).toContain("allow writing");
  });

  test("owner tools say which part is closed: backup of a readable project into a closed home", async () => {
    const world = await createConnected();
    close(world, ["home"]);
    const before = hashTree(world.directory);
    const answer = await ask(world, ["backup"], AS_STRANGER);
    expect({ code: codeOf(answer), exitCode: answer.exitCode }).toEqual({ code: "file_not_writable", exitCode: 6 });
    expect(hashTree(world.directory)).toEqual(before);
    mkdirSync(join(world.directory, "open"));
    giveToStranger(join(world.directory, "open"));
    const elsewhere = await ask(world, ["backup", "--output=../../open/copy.db"], AS_STRANGER);
    expect(elsewhere).toMatchObject({ exitCode: 0, json: { ok: true } });
  });
});
