import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createOwnerToken } from "../../support/create-owner-token.ts";
import { readField, readText } from "../../support/read-field.ts";
import { addTodo, createWorkingGoal, type WorkingGoal } from "../../support/working-goal.ts";

let goal: WorkingGoal;
beforeEach(async () => {
  goal = await createWorkingGoal(1);
});
afterEach(() => goal.world.remove());

/** But for the row that says which project it is. */
function rowsOf(status: unknown): readonly unknown[] {
  return (readField(status, "tables") as readonly { readonly name: string }[]).filter(({ name }) => name !== "project");
}

const listFiles = (): readonly string[] => readdirSync(join(goal.world.loopxHome, "backups")).toSorted();

test("of a project's backups an owner keeps so many, and nothing else in the folder is touched", async () => {
  const { world } = goal;
  const token = `--owner-token-file=${await createOwnerToken(world)}`;
  const taken: string[] = [];
  for (const text of ["one", "two", "three"]) {
    await addTodo(goal, text);
    taken.push(readText(await world.call(["backup"]), "backup"));
  }
  const others = ["notes.txt", "project_other-20260101000000-abcdef.db"];
  for (const name of others) writeFileSync(join(world.loopxHome, "backups", name), "not ours to remove");
  const kept = await world.call(["backup", "--keep=2", token]);
  expect(readField(kept, "removed_count")).toBeGreaterThanOrEqual(2);
  expect(new Set(listFiles())).toEqual(new Set([taken.at(-1), readText(kept, "backup"), ...others]));
  await world.call(["restore", `--from=${taken.at(-1) ?? ""}`, "--execute", token]);
  expect(readField(await world.call(["status"]), "todo_counts", "open")).toBe(3);
});

test("no agent removes a backup, and a count needs the home's folder", async () => {
  const { world } = goal;
  await world.call(["backup"]);
  const before = listFiles();
  const refused = await world.run(["backup", "--keep=1"], { env: { CLAUDECODE: "1" } });
  expect(readField(refused.json, "error", "code")).toBe("gate_needs_owner");
  for (const flags of [["--keep=0"], ["--keep=1", "--output=x.db"]]) {
    expect(await world.run(["backup", ...flags])).toMatchObject({ exitCode: 2 });
  }
  expect(listFiles()).toEqual(before);
});

test("a restore only looks at a backup unless it is to write, and its state is then that of the backup to the digest", async () => {
  const { world } = goal;
  const token = `--owner-token-file=${await createOwnerToken(world)}`;
  await addTodo(goal, "one");
  const before = readField(await world.call(["store", "status"]), "tables");
  const { backup } = (await world.call(["backup"])) as { readonly backup: string };
  await addTodo(goal, "two");
  const after = readField(await world.call(["store", "status"]), "tables");
  expect(await world.call(["restore", `--from=${backup}`])).toMatchObject({ dry_run: true, written: false });
  expect(readField(await world.call(["store", "status"]), "tables")).toEqual(after);
  await world.call(["restore", `--from=${backup}`, "--execute", token]);
  expect(readField(await world.call(["store", "status"]), "tables")).toEqual(before);
});

test("an export that is imported into an empty project gives rows of the same digest", async () => {
  const { world } = goal;
  await addTodo(goal, "one");
  await world.call(["export", "--output=state.jsonl"]);
  const before = await world.call(["store", "status"]);
  const target = world.addProject("another");
  const options = { cwd: target, env: { LOOPX_HOME: join(world.directory, "another-home") } };
  const token = `--owner-token-file=${await createOwnerToken({ ...world, project: target, env: { ...world.env, ...options.env } })}`;
  await world.call(["connect"], options);
  await world.call(["import", `--input=${join(world.project, "state.jsonl")}`, "--execute", token], options);
  const after = await world.call(["store", "status"], options);
  expect(rowsOf(after)).toEqual(rowsOf(before));
});
