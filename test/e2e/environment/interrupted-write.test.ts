import { spawnSync } from "node:child_process";
import { readdirSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  ask,
  askAsOwner,
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

/** A journal as a killed writer leaves it: taken while its transaction was open and spilled. */
function leaveHotJournal(store: string): void {
  const driver = createRequire(import.meta.url).resolve("better-sqlite3");
  const script = `
    const fs = require("node:fs"); const d = new (require(process.argv[1]))(process.argv[2]);
    d.exec("PRAGMA cache_size = 1; PRAGMA cache_spill = 1; BEGIN IMMEDIATE; CREATE TABLE spill (a)");
    const add = d.prepare("INSERT INTO spill VALUES (?)"); for (let i = 0; i < 200; i++) add.run("x".repeat(3000));
    process.kill(process.pid, "SIGKILL")`;
  spawnSync(process.execPath, ["-e", script, driver, store]);
  expect(readdirSync(join(store, "..")).toSorted()).toEqual([".gitignore", "state.db", "state.db-journal"]);
}

describe("an interrupted write", () => {
  test("needs a writer where only reading is possible, and any writer mends it", async () => {
    const world = createMachine();
    await connectProject(world);
    leaveHotJournal(join(world.project, ".loopx", "state.db"));
    giveToStranger(world.project);
    giveToStranger(world.home);
    setWritable(world.project, false);
    const before = hashTree(world.directory);
    const user = STRANGER === undefined ? {} : { uid: STRANGER };
    for (const words of [["status"], ["todo", "add", "--text=x"], ["history"]]) {
      const answer = await ask(world, words, user);
      expect({ words, code: codeOf(answer), exitCode: answer.exitCode }).toEqual({
        words,
        code: "store_needs_recovery",
        exitCode: 5,
      });
      expect(nextOf(answer)).toContain("loopx doctor");
    }
    expect(await ask(world, SHOULD_RUN, user)).toMatchObject({
      exitCode: 5,
      json: { decision: "repair", code: "store_needs_recovery" },
    });
    expect(hashTree(world.directory)).toEqual(before);
    setWritable(world.project, true);
    expect(await ask(world, ["doctor"], user)).toMatchObject({ exitCode: 0 });
    expect(await ask(world, ["status"], user)).toMatchObject({ exitCode: 0, json: { todo_counts: { open: 1 } } });
  });

  test("whose store is gone is not rolled into a new one", async () => {
    const world = createMachine();
    await connectProject(world);
    leaveHotJournal(join(world.project, ".loopx", "state.db"));
    rmSync(join(world.project, ".loopx", "state.db"));
    const before = hashTree(world.project);
    for (const words of [
      ["connect", "--project=."],
      ["bootstrap", "--objective=x"],
    ]) {
      const answer = await ask(world, words);
      expect(answer.exitCode).toBe(5);
      expect(hashTree(world.project)).toEqual(before);
    }
    expect(await askAsOwner(world, ["restore", "--project=.", "--execute"])).toMatchObject({ exitCode: 0 });
    expect(await ask(world, ["status"])).toMatchObject({ exitCode: 0, json: { goal: { goal_id: "project-goal" } } });
  });
});
