import { describe, expect, test } from "vitest";
import type { Database } from "@loopx/store";
import * as fc from "fast-check";
import { draftAttachment, draftReview, randomCommands, runCommand } from "../random-commands.ts";
import {
  attachContext,
  bindThread,
  compactGoal,
  createGoal,
  exportProject,
  importProject,
  newGate,
  recordActivation,
  recordReview,
  replaceProjectState,
  saveSetting,
} from "../../src/index.ts";
import {
  a1,
  accepted,
  createPlace,
  GOAL,
  openWorld,
  OWNER,
  PROJECT,
  refusalOf,
  START,
  type World,
} from "../control-plane-world.ts";
import { contentOf } from "../store-content.ts";

/** A project with a row in every table. */
async function openFullWorld(): Promise<World> {
  const world = await openWorld();
  const binding = { goalId: GOAL, projectId: PROJECT, hostSurface: "codex-cli", threadId: "t1", agentId: "a1" };
  accepted(await bindThread(world.home, world.project, { ...binding, actor: OWNER }, world.ambient));
  const loop = {
    hostSurface: "other-agent",
    threadId: "t1",
    loopDriver: "cron",
    taskBodyDigest: `sha256:${"0".repeat(64)}`,
  };
  accepted(await recordActivation(world.project, { ...loop, goalId: GOAL, caller: a1, agentId: "a1" }, world.ambient));
  accepted(await attachContext(world.project, { caller: a1, attachment: draftAttachment() }, world.ambient));
  const review = { caller: a1, now: START, type: "decision_reviewed.v1", review: draftReview(0) } as const;
  accepted(await world.project.write((tx) => recordReview(tx, review)));
  const first = await world.add('read /home/user/plan.md\n项目 "it\'s" $& \u202E', { priority: 0 });
  await world.add("second", { depends_on: [first.id] });
  await world.add("may I?", { role: "user", task_class: "user_gate", gate: newGate("decision", ["agent:a2"]) });
  const { turnId, todoId } = await world.run("a1");
  const file = { path: "out.txt", sha256: "0".repeat(64), bytes: 1 };
  accepted(await world.complete(todoId, { turnId, files: [file], followUp: { kind: "open_ended" } }));
  accepted(await world.spend("a1", turnId));
  const policy = { olderThanMs: null, keepEvents: 3 };
  const compaction = { goalId: GOAL, actor: OWNER, policy, archive: null };
  accepted(await compactGoal(world.project, compaction, world.ambient));
  accepted(await createGoal(world.project, { goalId: "other-goal", objective: "else", actor: OWNER }, world.ambient));
  return world;
}

async function exportLines(database: Database, more: object = {}): Promise<readonly string[]> {
  return database.read(async (tx) => {
    const lines: string[] = [];
    for await (const line of exportProject(tx, { goalId: null, isPublic: false, now: START, ...more }))
      lines.push(line);
    return lines;
  });
}

/** What an export carries: everything but the store's own identity and settings. */
async function stateOf(database: Database): Promise<object> {
  const {
    project: _project,
    settings: _settings,
    schema_migrations: _migrations,
    another_part: _other,
    ...state
  } = await contentOf(database);
  return state;
}

/** Opens a turn and shows nothing but a file for why it is blocked. */
const BLOCKED_BY_A_FILE = [
  { verb: "add", pick: 0, who: 0, what: 1 },
  { verb: "next", pick: 0, who: 0, what: 0 },
  { verb: "show", pick: 0, who: 0, what: 3 },
] as const;

describe("export and import", () => {
  test("an import into an empty store gives exactly the state that was exported", async () => {
    const world = await openFullWorld();
    const state = await stateOf(world.project);
    for (const rows of Object.values(state)) expect(rows).not.toEqual([]);
    const target = await createPlace().open("state.db");
    const lines = await exportLines(world.project);
    const imported = accepted(await importProject(target, lines, { isDryRun: false, now: START }));
    expect(imported.goalIds).toEqual(["other-goal", GOAL]);
    expect(await stateOf(target)).toEqual(state);
    expect(await exportLines(target)).toEqual(lines);
  });

  test("whatever commands store, an import takes back exactly", async () => {
    const blockedByFiles = { exact: 0 };
    await fc.assert(
      fc.asyncProperty(randomCommands, async (commands) => {
        const world = await openWorld();
        for (const command of [...BLOCKED_BY_A_FILE, ...commands]) await runCommand(world, command);
        const lines = await exportLines(world.project);
        const target = await createPlace().open("state.db");
        accepted(await importProject(target, lines, { isDryRun: false, now: world.ambient.now() }));
        expect(await stateOf(target)).toEqual(await stateOf(world.project));
        if (lines.some((line) => line.includes("blocked, as shown in out.txt"))) blockedByFiles.exact += 1;
      }),
      { numRuns: 30 },
    );
    expect(blockedByFiles.exact).toBeGreaterThan(0);
  });

  test("one goal can be exported by itself", async () => {
    const world = await openFullWorld();
    const target = await createPlace().open("state.db");
    const lines = await exportLines(world.project, { goalId: "other-goal" });
    expect(accepted(await importProject(target, lines, { isDryRun: false, now: START }))).toMatchObject({
      rows: 2,
      goalIds: ["other-goal"],
    });
  });

  test("more rows than one page of the export are all there", async () => {
    const world = await openWorld();
    await world.project.write(async (tx) => {
      for (let count = 0; count < 1203; count += 1) {
        await tx.run(
          "INSERT INTO agents (goal_id, agent_id, registered_at) VALUES (?, ?, ?)",
          GOAL,
          `x${count}`,
          START,
        );
      }
    });
    const target = await createPlace().open("state.db");
    accepted(await importProject(target, await exportLines(world.project), { isDryRun: false, now: START }));
    expect(await stateOf(target)).toEqual(await stateOf(world.project));
  });

  test("a dry run checks everything and writes nothing", async () => {
    const world = await openFullWorld();
    const target = await createPlace().open("state.db");
    const before = await contentOf(target);
    const lines = await exportLines(world.project);
    expect(accepted(await importProject(target, lines, { isDryRun: true, now: START })).rows).toBe(lines.length - 2);
    expect(await contentOf(target)).toEqual(before);
  });

  test("a goal that is there already is refused, also in a dry run", async () => {
    const world = await openFullWorld();
    const lines = await exportLines(world.project);
    const before = await contentOf(world.project);
    for (const isDryRun of [true, false]) {
      expect(await refusalOf(importProject(world.project, lines, { isDryRun, now: START }))).toBe("goal_id_taken");
    }
    expect(await contentOf(world.project)).toEqual(before);
  });

  test("a public export masks paths, says so, and cannot be imported", async () => {
    const world = await openFullWorld();
    const lines = await exportLines(world.project, { isPublic: true });
    expect(lines.join("\n")).not.toContain("/home/user");
    for (const line of lines) expect(() => JSON.parse(line) as unknown).not.toThrow();
    const target = await createPlace().open("state.db");
    expect(await importProject(target, lines, { isDryRun: false, now: START })).toMatchObject({
      code: "import_invalid",
      details: { line: 1 },
    });
  });
});

const indexOf = (lines: readonly string[], table: string): number =>
  lines.findIndex((line) => line.includes(`"table":"${table}"`));
const change = (lines: readonly string[], index: number, edit: (line: string) => string): readonly string[] =>
  lines.map((line, at) => (at === index ? edit(line) : line));
const insert = (lines: readonly string[], index: number, ...more: readonly string[]): readonly string[] =>
  lines.toSpliced(index, 0, ...more);
const recount = (lines: readonly string[]): readonly string[] =>
  change(lines, lines.length - 1, () => JSON.stringify({ end: true, rows: lines.length - 2 }));

describe("a damaged export is refused with its line, in a dry run too, and nothing is written", () => {
  type Damage = (lines: readonly string[]) => { readonly lines: readonly string[]; readonly line: number };
  const damages: Record<string, Damage> = {
    "an empty file": () => ({ lines: [""], line: 1 }),
    "no end line": (lines) => ({ lines: lines.slice(0, -1), line: lines.length - 1 }),
    "cut in the middle of a line": (lines) => ({
      lines: [...lines.slice(0, 4), lines[4]?.slice(0, 20) ?? ""],
      line: 5,
    }),
    "a line less than counted": (lines) => ({ lines: lines.toSpliced(3, 1), line: lines.length - 1 }),
    "a conflict marker": (lines) => ({ lines: insert(lines, 5, "<<<<<<< HEAD"), line: 6 }),
    "a conflict's middle": (lines) => ({ lines: insert(lines, 5, "======="), line: 6 }),
    "a conflict's end": (lines) => ({ lines: insert(lines, 5, ">>>>>>> theirs"), line: 6 }),
    "a newer schema": (lines) => ({ lines: change(lines, 0, (line) => line.replace("_v1", "_v2")), line: 1 }),
    "another program's file": (lines) => ({ lines: insert(lines, 0, '{"name":"x"}'), line: 1 }),
    "an empty line inside": (lines) => ({ lines: insert(lines, 2, ""), line: 3 }),
    "more after the end": (lines) => ({ lines: [...lines, lines[1] ?? ""], line: lines.length + 1 }),
    "a key that is there twice in a line": (lines) => ({
      lines: change(lines, 1, (line) => line.replace('"status":', '"status":"stopped","status":')),
      line: 2,
    }),
    "a row that is there twice": (lines) => {
      const at = indexOf(lines, "todos");
      return { lines: recount(insert(lines, at + 1, lines[at] ?? "")), line: at + 2 };
    },
    "a table there is not": (lines) => ({
      lines: change(lines, 1, (line) => line.replace('"goals"', '"sqlite_master"')),
      line: 2,
    }),
    "a column there is not": (lines) => ({
      lines: change(lines, 1, (line) => line.replace('"status":', '"status) VALUES (1); DROP TABLE goals; --":')),
      line: 2,
    }),
    "a column missing": (lines) => ({ lines: change(lines, 1, (line) => line.replace('"revision":1,', "")), line: 2 }),
    "an empty column that must not be": (lines) => ({
      lines: change(lines, 1, (line) => line.replace('"revision":1,', '"revision":null,')),
      line: 2,
    }),
    "a structure that is none": (lines) => {
      const at = indexOf(lines, "todos");
      return {
        lines: change(lines, at, (line) => line.replace('"depends_on":"[]"', '"depends_on":"["')),
        line: at + 1,
      };
    },
    "a value that no column takes": (lines) => ({
      lines: change(lines, 1, (line) => line.replace('"revision":1,', '"revision":1.5,')),
      line: 2,
    }),
    "a row of a goal that the file does not hold": (lines) => {
      const at = indexOf(lines, "events");
      return { lines: change(lines, at, (line) => line.replace('"goal_id":"', '"goal_id":"my-')), line: at + 1 };
    },
  };

  for (const [name, damage] of Object.entries(damages)) {
    test(name, async () => {
      const world = await openFullWorld();
      const target = await createPlace().open("state.db");
      accepted(await createGoal(target, { goalId: "my-goal", objective: "mine", actor: OWNER }, world.ambient));
      const before = await contentOf(target);
      const { lines, line } = damage(await exportLines(world.project));
      for (const isDryRun of [true, false]) {
        const answer = await importProject(target, lines, { isDryRun, now: START });
        expect(answer).toMatchObject({ ok: false, code: "import_invalid", details: { line } });
        expect(answer.ok ? "" : answer.message).toContain(`line ${line}: `);
      }
      expect(await contentOf(target)).toEqual(before);
    });
  }
});

test("replaceProjectState makes a store equal to another, settings included, its identity kept", async () => {
  const world = await openFullWorld();
  accepted(await saveSetting(world.project, { name: "lease.ttl", value: "2h" }, OWNER));
  const target = await openWorld();
  await target.add("will be gone", { by: a1 });
  await replaceProjectState(target.project, world.project);
  const { project: _source, ...wanted } = await contentOf(world.project);
  const { project: _target, ...found } = await contentOf(target.project);
  expect({ ...found, schema_migrations: null }).toEqual({ ...wanted, schema_migrations: null });
});
