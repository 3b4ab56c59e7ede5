import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, inject, test } from "vitest";
import { createWorld, type World } from "../../support/cli-world.ts";
import { createOwnerToken } from "../../support/create-owner-token.ts";
import { findContradictions, listRows, loadProjectState } from "../../support/project-state.ts";
import { readField, readText } from "../../support/read-field.ts";
import { addTodo, createWorkingGoal, nameTurn, openTurn, type WorkingGoal } from "../../support/working-goal.ts";

const server = inject("postgres");

describe.each(["sqlite", "postgres"])("gc on %s", (engine) => {
  const isThere = engine === "sqlite" || "url" in server;
  let goal: WorkingGoal;
  let token: string;

  beforeEach(async () => {
    if (engine === "postgres" && "url" in server) process.env["TESTED_STORE_URL"] = server.url;
    goal = await createWorkingGoal(1);
    token = `--owner-token-file=${await createOwnerToken(goal.world)}`;
  });
  afterEach(() => {
    delete process.env["TESTED_STORE_URL"];
    goal.world.remove();
  });

  test.runIf(isThere)("is a preview by default, and says what history will not answer any more", async () => {
    const { world, goalId } = goal;
    await workOne("one");
    const before = await exportOf(world);
    const preview = await world.call(["gc", "--keep-events=3"]);
    const last = await seqOf(goal);
    expect(preview).toMatchObject({
      dry_run: true,
      policy: { older_than: null, keep_events: 3, archive: true },
      goals: [{ goal_id: goalId, events: last, earliest_seq: last - 3 }],
      next: ["loopx gc --keep-events=3 --execute"],
    });
    expect(await exportOf(world)).toEqual(before);
    expect(await world.call(["gc"])).toMatchObject({ policy: { older_than: "90d", keep_events: null }, goals: [] });
    const refused = await world.run(["gc", "--keep-events=3", "--execute"]);
    expect(readText(refused.json, "error", "code")).toBe("gate_needs_owner");
    expect(await exportOf(world)).toEqual(before);
  });

  test.runIf(isThere)("archives what it removes, and the history since is what it was", async () => {
    const { world, goalId } = goal;
    for (const text of ["one", "two"]) await workOne(text);
    const last = await seqOf(goal);
    const at = (seq: number): Promise<unknown> => world.call(["history", `--goal-id=${goalId}`, `--at=${seq}`]);
    const states = [await imagesAt(at, last - 3), await imagesAt(at, last)];
    const eventsBefore = listRows(await loadProjectState(world), "events");

    const done = await world.call(["gc", "--keep-events=3", "--execute", token]);
    const [name] = readdirSync(join(world.loopxHome, "archives"));
    const path = join(world.loopxHome, "archives", name ?? "");
    expect(readField(done, "goals", 0, "archives")).toEqual([name]);
    expect(statSync(path).mode & 0o777).toBe(0o600);

    const lines = readFileSync(path, "utf8").trimEnd().split("\n");
    const archived = lines.slice(1, -1).map((line) => readField(JSON.parse(line), "row"));
    const state = await loadProjectState(world);
    const left = listRows(state, "events");
    expect(
      [...archived, ...left].map((row) => Number(readField(row, "seq"))).toSorted((one, other) => one - other),
    ).toEqual(Array.from({ length: last + 1 }, (_, index) => index + 1));
    for (const row of archived) expect(eventsBefore).toContainEqual(row);
    const [compaction] = listRows(state, "event_compactions");
    expect(compaction).toMatchObject({
      archive: name,
      archive_digest: `sha256:${createHash("sha256").update(readFileSync(path)).digest("hex")}`,
      removed_count: archived.length,
    });
    expect(findContradictions(state)).toEqual([]);

    expect([await imagesAt(at, last - 3), await imagesAt(at, last)]).toEqual(states);
    const refused = await world.run(["history", `--goal-id=${goalId}`, "--at=2"]);
    expect(refused).toMatchObject({ exitCode: 4 });
    expect(readField(refused.json, "error")).toMatchObject({
      code: "history_compacted",
      hint: `loopx history --goal-id=${goalId} --at=${last - 3}`,
      details: { earliest_seq: last - 3, archive: name },
    });
    const long = await world.run(["history", `--goal-id=${goalId}`, "--at=2020-01-01T00:00:00Z"]);
    expect(readText(long.json, "error", "code")).toBe("history_compacted");
    const listed = await world.call(["history", `--goal-id=${goalId}`]);
    expect(readField(listed, "events", 0)).toMatchObject({ type: "events_compacted.v1", seq: last + 1 });
    expect(listed).toMatchObject({
      compactions: [{ through_seq: last - 3, archive: name, removed_count: archived.length }],
    });
    expect(await world.call(["doctor"])).toMatchObject({ ok: true });
    expect(await world.call(["quota", "status"])).toMatchObject({ used_turns: 2 });
    const again = await world.call(["gc", "--keep-events=3", "--execute", token]);
    expect(again).toMatchObject({ goals: [], unchanged_goals: 1 });
    await workOne("three");
    expect(await world.call(["quota", "status"])).toMatchObject({ used_turns: 3 });
  });

  test.runIf(isThere)(
    "an export of what is left is imported elsewhere as it is, and backed up and restored",
    async () => {
      const { world } = goal;
      for (const text of ["one", "two"]) await workOne(text);
      await world.call(["todo", "archive", "--completed", "--agent-id=agent-1"]);
      await world.call(["gc", "--keep-events=0", "--execute", token]);
      const before = await exportOf(world);
      const file = join(world.directory, "state.jsonl");
      await world.call(["export", `--output=${file}`]);
      const other = createWorld();
      await other.call(["bootstrap", "--objective=Elsewhere", "--goal-id=elsewhere"]);
      const theirs = `--owner-token-file=${await createOwnerToken(other)}`;
      await other.call(["import", `--input=${file}`, "--execute", theirs]);
      const imported = (await exportOf(other)).filter((line) => !line.includes('"elsewhere"'));
      expect(imported).toEqual(before);
      other.remove();

      await world.call(["backup"]);
      await workOne("three");
      await world.call(["restore", "--execute", token]);
      expect(await exportOf(world)).toEqual(before);
    },
  );

  /** Adds a todo and works it to its end. */
  async function workOne(text: string): Promise<void> {
    await addTodo(goal, text);
    const turn = nameTurn(goal, await openTurn(goal));
    await goal.world.call(["todo", "complete", ...turn, "--evidence=done"]);
    await goal.world.call(["quota", "spend", ...turn]);
  }
});

test("on SQLite the space of what went is given back", async () => {
  const goal = await createWorkingGoal(1);
  const { world } = goal;
  const todoId = await addTodo(goal, "Write the parser");
  for (let count = 0; count < 40; count += 1) {
    const text = `--text=${count} ${"long ".repeat(700)}`;
    await world.call(["todo", "update", `--goal-id=${goal.goalId}`, `--todo-id=${todoId}`, "--agent-id=agent-1", text]);
  }
  const store = join(world.project, ".loopx", "state.db");
  const bytesBefore = statSync(store).size;
  const token = `--owner-token-file=${await createOwnerToken(world)}`;
  const done = await world.call(["gc", "--keep-events=5", "--no-archive", "--execute", token]);
  const bytesAfter = statSync(store).size;
  expect(done).toMatchObject({ space: { bytes_before: bytesBefore, bytes_after: bytesAfter } });
  expect(bytesAfter).toBeLessThan(bytesBefore * 0.75);
  expect(readdirSync(world.loopxHome)).not.toContain("archives");
  expect(listRows(await loadProjectState(world), "event_compactions")).toMatchObject([{ archive: null }]);
  world.remove();
});

async function exportOf(world: World): Promise<readonly string[]> {
  const lines: unknown = readField(await world.call(["export"]), "lines");
  if (!Array.isArray(lines)) throw new Error("export gave no lines");
  return lines.slice(1, -1).map(String);
}

async function seqOf({ world, goalId }: WorkingGoal): Promise<number> {
  return Number(readField(await world.call(["history", `--goal-id=${goalId}`, "--limit=1"]), "events", 0, "seq"));
}

/** Every entity as of one event, without where it comes from. */
async function imagesAt(at: (seq: number) => Promise<unknown>, seq: number): Promise<readonly string[]> {
  const entities = readField(await at(seq), "entities");
  if (!Array.isArray(entities)) throw new Error("no entities");
  return entities.map((entity) => inKeyOrder(readField(entity, "image"))).toSorted();
}

function inKeyOrder(image: unknown): string {
  return JSON.stringify(Object.entries(image ?? {}).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}
