import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, test } from "vitest";
import { BACK_TO_FIRST_SCHEMA } from "../../support/first-schema.ts";
import type { World } from "../../support/cli-world.ts";
import { runSql } from "../../support/run-sql.ts";
import { readField } from "../../support/read-field.ts";
import { ask, askAsOwner, codeOf, connectProject, createMachine, hashTree, nextOf, SHOULD_RUN } from "./machine.ts";

interface Damage {
  readonly name: string;
  readonly code: string;
  readonly says: string;
  readonly damage: (store: string) => void;
}

const DAMAGES: readonly Damage[] = [
  {
    name: "truncated",
    code: "store_corrupt",
    says: ".loopx/state.db",
    damage: (store) => writeFileSync(store, readFileSync(store).subarray(0, 5_000)),
  },
  {
    name: "of zero bytes",
    code: "store_corrupt",
    says: ".loopx/state.db is empty",
    damage: (store) => writeFileSync(store, ""),
  },
  {
    name: "overwritten in its first page",
    code: "store_corrupt",
    says: ".loopx/state.db",
    damage: (store) => writeFileSync(store, Buffer.concat([Buffer.alloc(4096, 7), readFileSync(store).subarray(4096)])),
  },
  {
    name: "with a conflict marker",
    code: "store_corrupt",
    says: "line 1",
    damage: (store) => writeFileSync(store, "<<<<<<< HEAD\nSQLite\n=======\nother\n>>>>>>> branch\n"),
  },
  {
    name: "of a newer schema",
    code: "store_newer_schema",
    says: ".loopx/state.db",
    damage: (store) => runSql(store, "PRAGMA user_version = 999999"),
  },
  {
    name: "made by another text of a migration",
    code: "store_corrupt",
    says: "schema migration 1 was made from another text than this LoopX has",
    damage: (store) =>
      runSql(store, "UPDATE schema_migrations SET digest = 'sha256:00' WHERE number = 1; DROP TABLE todo_dependencies"),
  },
  {
    name: "of another program",
    code: "store_corrupt",
    says: ".loopx/state.db",
    damage: (store) => {
      rmSync(store);
      runSql(store, "CREATE TABLE theirs (a); INSERT INTO theirs VALUES (1)");
    },
  },
];

async function createDamaged(damage: Damage): Promise<{ readonly world: World; readonly store: string }> {
  const world = createMachine();
  await connectProject(world);
  await world.call(["backup"]);
  const store = join(world.project, ".loopx", "state.db");
  damage.damage(store);
  return { world, store };
}

const MENDABLE = DAMAGES.filter(({ code }) => code === "store_corrupt");

describe.each(DAMAGES)("a store $name", (damage) => {
  test("is one clear error in every command, without a loop, and its bytes stay", async () => {
    const { world } = await createDamaged(damage);
    const before = hashTree(world.directory);
    for (const words of [
      ["status"],
      ["todo", "add", "--text=x"],
      ["goal", "pause"],
      ["connect", "--project=."],
      ["export"],
      ["backup"],
    ]) {
      const answer = await ask(world, words);
      expect({ words, code: codeOf(answer), exitCode: answer.exitCode }).toEqual({
        words,
        code: damage.code,
        exitCode: 5,
      });
      expect(readField(answer.json, "error", "message")).toContain(damage.says);
      expect(nextOf(answer)).toBe(
        damage.code === "store_newer_schema" ? "npm install -g loopx@latest" : "loopx restore --execute",
      );
    }
    const decision = await ask(world, SHOULD_RUN);
    expect(decision).toMatchObject({ exitCode: 5, json: { decision: "repair", should_run: false, code: damage.code } });
    const doctor = await ask(world, ["doctor"]);
    expect(doctor).toMatchObject({ exitCode: 1, json: { ok: false } });
    expect(doctor.stdout).toContain(damage.says);
    expect(hashTree(world.directory)).toEqual(before);
  });
});

describe.each(MENDABLE)("a store $name", (damage) => {
  test("is mended by restore, which keeps the damaged file", async () => {
    const { world, store } = await createDamaged(damage);
    const damaged = readFileSync(store);
    const command = (await ask(world, ["doctor"])).stdout;
    expect(command).toContain("loopx restore --execute");
    const before = hashTree(world.project);
    expect(await ask(world, ["restore", "--project=."])).toMatchObject({ exitCode: 0, json: { written: false } });
    expect(hashTree(world.project)).toEqual(before);
    expect(await askAsOwner(world, ["restore", "--project=.", "--execute"])).toMatchObject({
      exitCode: 0,
      json: { written: true },
    });
    expect(await ask(world, SHOULD_RUN)).toMatchObject({
      exitCode: 0,
      json: { decision: "run", todo: { text: "Parse quoted fields" } },
    });
    const kept = readdirSync(join(world.project, ".loopx")).filter((name) => name.startsWith("state.db.damaged-"));
    expect(kept).toHaveLength(1);
    expect(readFileSync(join(world.project, ".loopx", kept[0] ?? ""))).toEqual(damaged);
    expect(await ask(world, ["doctor"])).toMatchObject({ exitCode: 0 });
  });
});

test("a damaged store of a project elsewhere is to be mended there, since here it would change another", async () => {
  const world = createMachine();
  const goalId = await connectProject(world);
  await world.call(["backup"]);
  const sound = join(world.directory, "sound");
  mkdirSync(sound);
  await world.call(["bootstrap", `--project=${sound}`, "--objective=Another"]);
  const store = join(world.project, ".loopx", "state.db");
  writeFileSync(store, "no store");
  const hint = `in the folder of ${basename(world.project)}: loopx restore --execute`;
  expect(nextOf(await ask(world, ["status", `--goal-id=${goalId}`], { cwd: sound }))).toBe(hint);
  rmSync(store);
  expect(nextOf(await ask(world, ["status", `--goal-id=${goalId}`], { cwd: sound }))).toBe(hint);
  expect(nextOf(await ask(world, ["status", `--goal-id=${goalId}`]))).toBe("loopx restore --execute");
});

test("a store of a newer schema is not replaced by restore", async () => {
  const [damage] = DAMAGES.filter((one) => one.code === "store_newer_schema");
  if (damage === undefined) throw new Error("no such damage");
  const { world, store } = await createDamaged(damage);
  const before = readFileSync(store);
  const answer = await askAsOwner(world, ["restore", "--project=.", "--execute"]);
  expect({ code: codeOf(answer), exitCode: answer.exitCode }).toEqual({ code: "store_newer_schema", exitCode: 5 });
  expect(readFileSync(store)).toEqual(before);
});

test("a damaged home store is one clear error, and the project can still be read", async () => {
  const world = createMachine();
  await connectProject(world);
  const home = join(world.loopxHome, "home.db");
  writeFileSync(home, readFileSync(home).subarray(0, 3_000));
  const before = hashTree(world.directory);
  for (const words of [
    ["bootstrap", "--new-goal", "--objective=x"],
    ["register-agent", "--goal-id=project-goal", "--agent-id=b", "--execute"],
  ]) {
    const answer = await ask(world, words);
    expect({ words, code: codeOf(answer), exitCode: answer.exitCode }).toEqual({
      words,
      code: "store_corrupt",
      exitCode: 5,
    });
    expect(readField(answer.json, "error", "message")).toContain("the LoopX home store");
  }
  expect(await ask(world, ["status"])).toMatchObject({ exitCode: 0 });
  expect(await ask(world, SHOULD_RUN)).toMatchObject({
    exitCode: 5,
    json: { decision: "repair", code: "store_corrupt" },
  });
  expect(await ask(world, ["doctor"])).toMatchObject({ exitCode: 1, json: { ok: false } });
  expect(hashTree(world.directory)).toEqual(before);
});

test("a damaged backup is refused and nothing is changed", async () => {
  const world = createMachine();
  await connectProject(world);
  await world.call(["backup", "--output=copy.db"]);
  const copy = join(world.project, "copy.db");
  const bytes = readFileSync(copy);
  mkdirSync(join(world.project, "folder"));
  copyFileSync(copy, join(world.project, "good.db"));
  for (const content of [
    bytes.subarray(0, 9_000),
    Buffer.from("<<<<<<< HEAD\n"),
    Buffer.alloc(0),
    Buffer.concat([bytes.subarray(0, 8192), Buffer.alloc(8192, 1), bytes.subarray(16_384)]),
  ]) {
    writeFileSync(copy, content);
    const before = hashTree(world.project);
    const answer = await askAsOwner(world, ["restore", "--from=copy.db", "--execute"]);
    expect({ code: codeOf(answer), exitCode: answer.exitCode }).toEqual({ code: "store_corrupt", exitCode: 5 });
    expect(hashTree(world.project)).toEqual(before);
  }
  expect(await askAsOwner(world, ["restore", "--from=folder", "--execute"])).toMatchObject({ exitCode: 5 });
  expect(codeOf(await askAsOwner(world, ["restore", "--from=none.db", "--execute"]))).toBe("file_not_readable");
  expect(await askAsOwner(world, ["restore", "--from=good.db", "--execute"])).toMatchObject({ exitCode: 0 });
});

test("a store of an older schema is migrated by the next command that writes, and a backup of one can be restored", async () => {
  const world = createMachine();
  await connectProject(world);
  await world.call(["todo", "add", "--task-class=user_gate", "--text=May I?", "--blocks=goal"]);
  const store = join(world.project, ".loopx", "state.db");
  const backup = join(world.project, "older.db");
  await ask(world, ["backup", "--output=older.db"]);
  runSql(store, BACK_TO_FIRST_SCHEMA);
  runSql(backup, BACK_TO_FIRST_SCHEMA);
  const before = readFileSync(backup);
  expect(await ask(world, SHOULD_RUN)).toMatchObject({ json: { decision: "ask_user", reason: "gate" } });
  expect(await ask(world, ["restore", "--from=older.db"])).toMatchObject({ exitCode: 0, json: { written: false } });
  expect(await askAsOwner(world, ["restore", "--from=older.db", "--execute"])).toMatchObject({ exitCode: 0 });
  expect(readFileSync(backup).equals(before)).toBe(true);
  expect(await ask(world, SHOULD_RUN)).toMatchObject({ json: { decision: "ask_user", reason: "gate" } });
  expect(await ask(world, ["doctor"])).toMatchObject({ json: { ok: true } });
});
