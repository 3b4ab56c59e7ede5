import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, inject, test } from "vitest";
import { createOwnerToken } from "../../support/create-owner-token.ts";
import { createWorld, type RunOptions, type World } from "../../support/cli-world.ts";
import { findContradictions, loadProjectState } from "../../support/project-state.ts";
import { readField, readText } from "../../support/read-field.ts";
import { addTodo, createWorkingGoal, nameTurn, openTurn, type WorkingGoal } from "../../support/working-goal.ts";

const server = inject("postgres");
const url = new URL("url" in server ? server.url : "postgresql://nobody@127.0.0.1/none");
const { password } = url;
url.password = "";
const TO_SERVER = [`--to=${url.href}`, "--store-password=env:MOVE_PASSWORD"];
const ENV = { MOVE_PASSWORD: decodeURIComponent(password) };

describe.skipIf(!("url" in server))("a project that is moved", () => {
  let goal: WorkingGoal;
  let token: string;
  beforeEach(async () => {
    goal = await createWorkingGoal(2);
    token = `--owner-token-file=${await createOwnerToken(goal.world)}`;
    for (const text of ["Parse", "Print", "Publish"]) await addTodo(goal, text);
  });
  afterEach(() => goal.world.remove());

  const call = (words: readonly string[], options: RunOptions = {}): Promise<unknown> =>
    goal.world.call(words, { ...options, env: { ...ENV, ...options.env } });
  const run = (words: readonly string[]): ReturnType<World["run"]> => goal.world.run(words, { env: ENV });
  const refuse = async (flags: readonly string[], code: string): Promise<void> => {
    const { json, exitCode } = await run(["store", "copy", ...flags]);
    expect([code, readField(json, "error", "code"), exitCode !== 0]).toEqual([code, code, true]);
  };
  const move = (...flags: string[]): Promise<unknown> => call(["store", "copy", ...flags, "--execute", token]);

  test("is on a server with its open turn, goes on there, and comes back to its file the same", async () => {
    const turn = nameTurn(goal, await openTurn(goal));
    const before = await call(["store", "status"]);
    const preview = await call(["store", "copy", ...TO_SERVER]);
    expect(preview).toMatchObject({ written: false, resumed: false });
    expect(await call(["store", "status"])).toEqual(before);

    const moved = await move(...TO_SERVER);
    expect(moved).toMatchObject({ written: true, digest: readText(preview, "digest") });
    const there = await call(["store", "status"]);
    expect(there).toMatchObject({ engine: "postgres", project_id: readText(before, "project_id") });
    expect(readField(there, "tables")).toEqual(readField(before, "tables"));
    expect(JSON.stringify([preview, moved, there])).not.toContain(ENV.MOVE_PASSWORD);
    await call(["refresh-state", ...turn, "--outcome=progress", "--evidence=12 tests pass"]);
    await call(["todo", "complete", ...turn, "--evidence=done", "--no-follow-up"]);
    expect(await call(["quota", "spend", ...turn])).toMatchObject({ already_spent: false });

    const onServer = await call(["store", "status"]);
    expect(await move("--to=file", "--from=server")).toMatchObject({ written: true });
    const back = await call(["store", "status"]);
    expect(back).toMatchObject({ engine: "sqlite", project_id: readText(before, "project_id") });
    expect(readField(back, "tables")).toEqual(readField(onServer, "tables"));
    expect(existsSync(join(goal.world.project, ".loopx", "store.json"))).toBe(false);
    expect(findContradictions(await loadProjectState(goal.world))).toEqual([]);
    expect(await call(["quota", "spend", ...turn])).toMatchObject({ already_spent: true });
    // And once more to the schema that it left.
    await move(...TO_SERVER);
    expect(readField(await call(["store", "status"]), "tables")).toEqual(readField(back, "tables"));
  });

  test("is an owner's to move, to a place that holds no project, and from where it is", async () => {
    await refuse([...TO_SERVER, "--execute"], "gate_needs_owner");
    await refuse(["--to=file"], "invalid_value");
    await refuse([...TO_SERVER, "--from=server"], "invalid_value");
    await refuse([`--to=${url.href.replace("@", ":secret-word@")}`], "credential_refused");
    await refuse(["--to=nowhere"], "invalid_value");
    await move(...TO_SERVER);
    await refuse([...TO_SERVER, "--execute", token], "invalid_value");
    expect(readField(await call(["status"]), "todo_counts", "open")).toBe(3);
  });

  test("leaves a store that says where the state is, and takes no write", async () => {
    const reference = join(goal.world.project, ".loopx", "store.json");
    await move(...TO_SERVER);
    const other = createWorld();
    try {
      const joined = ["connect", `--store=${url.href}`, "--store-password=env:MOVE_PASSWORD"];
      const projectId = `--project-id=${readText(await call(["store", "status"]), "project_id")}`;
      const otherToken = `--owner-token-file=${await createOwnerToken(other)}`;
      await other.call([...joined, projectId, otherToken], { env: ENV });
      expect(readFileSync(reference, "utf8")).not.toContain(ENV.MOVE_PASSWORD);
      await move("--to=file");
      for (const words of [
        ["status"],
        ["todo", "add", "--text=late"],
        ["connect"],
        [...joined, projectId, otherToken],
      ]) {
        const { json } = await other.run(words, { env: ENV });
        expect([words[0], readField(json, "error", "code")]).toEqual([words[0], "store_moved"]);
      }
      expect(
        await other
          .call(["quota", "should-run", `--goal-id=${goal.goalId}`, "--agent-id=agent-1"], { env: ENV })
          .catch(String),
      ).toContain("store_moved");
    } finally {
      other.remove();
    }
  });

  test("loses no todo that another process reports while it is moved", async () => {
    const added: string[] = [];
    let isMoving = true;
    const writer = async (name: string): Promise<void> => {
      for (let count = 0; isMoving; count += 1) {
        const text = `${name} ${count}`;
        const { exitCode, json } = await run([
          "todo",
          "add",
          `--goal-id=${goal.goalId}`,
          "--agent-id=agent-1",
          `--text=${text}`,
        ]);
        if (exitCode === 0) added.push(readText(json, "todo", "todo_id"));
      }
    };
    const writers = ["one", "two", "three"].map(writer);
    for (const to of [TO_SERVER, ["--to=file"]]) {
      await move(...to);
      const soFar = added.length;
      await expect.poll(() => added.length, { timeout: 60_000 }).toBeGreaterThan(soFar);
    }
    isMoving = false;
    await Promise.all(writers);
    const kept = await Promise.all(added.map((id) => run(["todo", "show", `--todo-id=${id}`])));
    expect(kept.filter(({ exitCode }) => exitCode !== 0)).toEqual([]);
    expect(findContradictions(await loadProjectState(goal.world))).toEqual([]);
  });
});
