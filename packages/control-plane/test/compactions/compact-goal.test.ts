import type { Instant } from "@loopx/contracts";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  archiveTodos,
  compactGoal,
  exportProject,
  findGoal,
  findSeqAt,
  importProject,
  listCompactions,
  loadLastSeq,
  loadProjectOverview,
  loadStateAt,
  planCompaction,
  type ArchivedEvents,
  type CompactionPolicy,
  type EventArchive,
  type Progress,
} from "../../src/index.ts";
import { loadTurnFacts } from "../../src/decision/load-decision-facts.ts";
import {
  a1,
  accepted,
  createPlace,
  GOAL,
  HOUR_MS,
  openWorld,
  OWNER,
  owner,
  refusalOf,
  START,
  type World,
} from "../control-plane-world.ts";
import { randomCommands, runCommand, type RandomCommand } from "../random-commands.ts";
import { contentOf, rowsOf } from "../store-content.ts";

const keep = (count: number): CompactionPolicy => ({ olderThanMs: null, keepEvents: count });

/** Keeps what it is given. */
function createArchive(): { readonly files: ArchivedEvents[]; readonly archive: EventArchive } {
  const files: ArchivedEvents[] = [];
  const archive: EventArchive = async (events) => {
    files.push(events);
    return { name: `archive-${files.length}.jsonl`, digest: `sha256:${"0".repeat(64)}` };
  };
  return { files, archive };
}

interface SeqRow {
  readonly seq: number;
}

const refuseAll: EventArchive = async () => {
  throw new Error("no space left");
};

/** Number and type of every event but the records of compactions. */
async function listOthers(world: World): Promise<readonly unknown[]> {
  const events = await rowsOf(world.project, "events", "seq");
  return events.filter(({ entity }) => entity !== "compaction").map(({ seq, type }) => [seq, type]);
}

async function compact(world: World, policy: CompactionPolicy, archive: EventArchive | null = null) {
  const request = { goalId: GOAL, actor: OWNER, policy, archive };
  return accepted(await compactGoal(world.project, request, world.ambient)).compactions;
}

const lastSeq = (world: World): Promise<number> => world.project.read((tx) => loadLastSeq(tx, GOAL));

async function stateAt(world: World, seq: number): Promise<string> {
  const state = await world.project.read((tx) => loadStateAt(tx, GOAL, seq));
  return state.map(({ entity, entity_id, image }) => `${entity} ${entity_id} ${inKeyOrder(image)}`).join("\n");
}

const inKeyOrder = (image: object): string =>
  JSON.stringify(Object.entries(image).toSorted(([left], [right]) => (left < right ? -1 : 1)));

/** The state as of each event from `first` on, by the number of the event. */
async function statesFrom(world: World, first: number): Promise<ReadonlyMap<number, string>> {
  const states = new Map<number, string>();
  for (let seq = first; seq <= (await lastSeq(world)); seq += 1) states.set(seq, await stateAt(world, seq));
  return states;
}

/** What every other reader of events says now. */
async function whatIsTold(world: World): Promise<object> {
  const now = world.ambient.now();
  return world.project.read(async (tx) => {
    const query = {
      agentId: null,
      goalIds: new Set([GOAL]),
      includes: new Set(["risks"] as const),
      progressSince: START,
    };
    const { openGoals, closedGoals } = await loadProjectOverview(tx, query, now);
    const goal = await findGoal(tx, GOAL);
    if (goal === undefined) throw new Error("no goal");
    return {
      openGoals: openGoals.map((overview) => ({ ...overview, progress: toTold(overview.progress) })),
      closedGoals: closedGoals.map(({ progress }) => toTold(progress)),
      facts: [await loadTurnFacts(tx, goal, "a1", now), await loadTurnFacts(tx, goal, "a2", now)],
    };
  });
}

/** By what is shown of it. */
function toTold(progress: readonly Progress[]): readonly string[] {
  return progress.map(({ type, at, todoId, text }) => [at, type, todoId, text].join(" ")).toSorted();
}

/** A plan, a turn of planning that writes a todo, and another that writes none. */
const PLANNING = ["next", "add", "show", "spend", "advance", "next", "show", "spend"].map(
  (verb) => ({ verb, pick: 0, who: 1, what: 0 }) as RandomCommand,
);

async function exportLines(world: Pick<World, "project">): Promise<readonly string[]> {
  return world.project.read(async (tx) => {
    const lines: string[] = [];
    for await (const line of exportProject(tx, { goalId: null, isPublic: false, now: START })) lines.push(line);
    return lines;
  });
}

/** Works a todo to its end: seven events. */
async function workOne(world: World, text: string): Promise<void> {
  await world.add(text, { by: a1 });
  const { turnId, todoId } = await world.run("a1");
  accepted(await world.complete(todoId, { turnId, followUp: { kind: "open_ended" } }));
  accepted(await world.spend("a1", turnId));
  world.ambient.advance(HOUR_MS);
}

describe("what is left after a compaction", () => {
  test("answers for each event from the cutoff on as before, whatever was done and is done later", async () => {
    const seen = { removed: 0, closed: 0, planned: 0 };
    await fc.assert(
      fc.asyncProperty(
        randomCommands,
        randomCommands,
        fc.nat({ max: 12 }),
        fc.boolean(),
        async (before, after, kept, isPlannedLast) => {
          const world = await openWorld();
          for (const command of isPlannedLast ? [...before, ...PLANNING] : [...PLANNING, ...before])
            await runCommand(world, command);
          world.ambient.advance(1);
          const [states, told] = [await statesFrom(world, 1), await whatIsTold(world)];
          const moments = await momentsOf(world);
          const [compaction] = await compact(world, keep(kept));
          if (compaction === undefined) return;
          const cutoff = compaction.through_seq;
          seen.removed += compaction.removed_count;
          for (const [seq, state] of states) {
            if (seq >= cutoff) expect([seq, await stateAt(world, seq)]).toEqual([seq, state]);
            else await expect(stateAt(world, seq)).rejects.toMatchObject({ code: "history_compacted" });
          }
          expect(await whatIsTold(world)).toEqual(told);
          for (const { at, seq } of moments.filter((moment) => moment.at >= compaction.through_at)) {
            expect(await world.project.read((tx) => findSeqAt(tx, GOAL, at))).toBe(seq);
          }
          const later = await statesFrom(world, cutoff);
          for (const command of after) await runCommand(world, command);
          for (const [seq, state] of later) expect([seq, await stateAt(world, seq)]).toEqual([seq, state]);

          const lines = await exportLines(world);
          const target = await createPlace().open("state.db");
          accepted(await importProject(target, lines, { isDryRun: false, now: world.ambient.now() }));
          expect(await exportLines({ project: target })).toEqual(lines);

          const again = await statesFrom(world, cutoff);
          const toldAgain = await whatIsTold(world);
          const [second] = await compact(world, keep(kept));
          for (const [seq, state] of again) {
            if (seq >= (second?.through_seq ?? cutoff)) expect([seq, await stateAt(world, seq)]).toEqual([seq, state]);
          }
          expect(await whatIsTold(world)).toEqual(toldAgain);
          const [counts] = await rowsWithoutEvents(world);
          seen.closed += Number(counts?.["closed"]);
          seen.planned += Number(counts?.["planned"]);
        },
      ),
      { numRuns: 15, seed: 11, endOnFailure: true },
    );
    // A walk that removes nothing proves nothing.
    expect(Object.entries(seen).filter(([, count]) => count < 8)).toEqual([]);
  }, 120_000);

  test("an archive and what is left are together every event there was", async () => {
    const world = await openWorld();
    for (const text of ["one", "two", "three"]) await workOne(world, text);
    const before = await rowsOf(world.project, "events", "seq");
    const { files, archive } = createArchive();
    await compact(world, keep(4), archive);
    const [file] = files;
    const archived = (file?.lines ?? []).slice(1, -1).map((line) => (JSON.parse(line) as { row: SeqRow }).row);
    const left = (await rowsOf(world.project, "events", "seq")) as unknown as readonly SeqRow[];
    const all = [...archived, ...left].toSorted((one, other) => one.seq - other.seq);
    expect(archived.length).toBeGreaterThan(5);
    expect(all.slice(0, -1)).toEqual(before);
    expect(JSON.parse(file?.lines[0] ?? "")).toMatchObject({ schema_version: "loopx_archive_v1", goal_id: GOAL });
    expect(JSON.parse(file?.lines.at(-1) ?? "")).toEqual({ end: true, rows: archived.length });
  });

  test("events stay bounded however long a goal is worked on, once its finished todos are archived", async () => {
    const world = await openWorld();
    const counts: number[] = [];
    for (let round = 0; round < 4; round += 1) {
      for (let count = 0; count < 6; count += 1) await workOne(world, `${round} ${count}`);
      accepted(await archiveTodos(world.project, { goalId: GOAL, caller: owner, todoIds: null }, world.ambient));
      await compact(world, keep(5));
      counts.push((await rowsOf(world.project, "events", "seq")).length);
    }
    expect((counts.at(-1) ?? 0) - (counts[0] ?? 0)).toBeLessThanOrEqual(counts.length);
    expect(await lastSeq(world)).toBeGreaterThan(100);
  });

  test("nothing that a budget counts is removed", async () => {
    const world = await openWorld();
    for (const text of ["one", "two"]) await workOne(world, text);
    const { turns, evidence, todos } = await contentOf(world.project);
    await compact(world, keep(0));
    expect(await contentOf(world.project)).toMatchObject({ turns, evidence, todos });
    const [turn] = await rowsOf(world.project, "turns", "opened_at");
    expect(await world.spend("a1", String(turn?.["turn_id"]))).toMatchObject({ ok: true, alreadySpent: true });
  });
});

describe("the policy", () => {
  test("an age keeps every event since the first young one, also where the clock went back", async () => {
    const world = await openWorld();
    for (const text of ["one", "two", "three"]) await workOne(world, text);
    await world.project.write((tx) => tx.run("UPDATE events SET at = ? WHERE seq = 8", world.ambient.now()));
    const plan = await world.project.read((tx) =>
      planCompaction(tx, { goalId: GOAL, policy: { olderThanMs: HOUR_MS / 2, keepEvents: null } }, world.ambient.now()),
    );
    expect(plan?.throughSeq).toBe(7);
  });

  test("an age and a number keep what either keeps", async () => {
    const world = await openWorld();
    for (const text of ["one", "two", "three"]) await workOne(world, text);
    const last = await lastSeq(world);
    const cutoffBy = (policy: CompactionPolicy): Promise<number | undefined> =>
      world.project.read(
        async (tx) => (await planCompaction(tx, { goalId: GOAL, policy }, world.ambient.now()))?.throughSeq,
      );
    const byAge = await cutoffBy({ olderThanMs: 2 * HOUR_MS - 1, keepEvents: null });
    expect(byAge).toBeLessThan(last - 2);
    expect(await cutoffBy({ olderThanMs: 2 * HOUR_MS - 1, keepEvents: 2 })).toBe(byAge);
    expect(await cutoffBy({ olderThanMs: 1, keepEvents: 2 })).toBe(last - 2);
    expect(await cutoffBy({ olderThanMs: 365 * 24 * HOUR_MS, keepEvents: 0 })).toBeUndefined();
  });

  test("asked again with the same policy there is nothing to do", async () => {
    const world = await openWorld();
    await workOne(world, "one");
    expect(await compact(world, keep(3))).toHaveLength(1);
    const content = await contentOf(world.project);
    world.ambient.advance(HOUR_MS);
    expect(await compact(world, keep(3))).toEqual([]);
    expect(await contentOf(world.project)).toEqual(content);
  });
});

describe("a compaction", () => {
  test("is an event of the goal that says what went and where it is", async () => {
    const world = await openWorld();
    await workOne(world, "one");
    const [compaction] = await compact(world, keep(2), createArchive().archive);
    const events = await rowsOf(world.project, "events", "seq");
    expect(events.at(-1)).toMatchObject({ type: "events_compacted.v1", entity: "compaction" });
    expect(JSON.parse(String(events.at(-1)?.["image"]))).toEqual(compaction);
    expect(compaction).toMatchObject({ keep_events: 2, older_than_ms: null, archive: "archive-1.jsonl" });
    expect(await world.project.read((tx) => listCompactions(tx, GOAL, 9))).toEqual([compaction]);
  });

  test("removes nothing when its archive can't be written", async () => {
    const world = await openWorld();
    await workOne(world, "one");
    const content = await contentOf(world.project);
    await expect(compact(world, keep(2), refuseAll)).rejects.toThrow("no space left");
    expect(await contentOf(world.project)).toEqual(content);
  });

  test("that is interrupted leaves whole steps, and the next one ends it", async () => {
    const [world, whole] = [await openWorld(), await openWorld()];
    for (const each of [world, whole]) for (const text of ["one", "two", "three"]) await workOne(each, text);
    const { files, archive } = createArchive();
    const request = { goalId: GOAL, actor: OWNER, policy: keep(2), eventsPerStep: 6 };
    const untilFull: EventArchive = async (events) => {
      if (files.length === 2) throw new Error("no space left");
      return archive(events);
    };
    const told = await whatIsTold(world);
    await expect(compactGoal(world.project, { ...request, archive: untilFull }, world.ambient)).rejects.toThrow(
      "no space",
    );
    expect((await world.project.read((tx) => listCompactions(tx, GOAL, 9))).map((each) => each.through_seq)).toEqual([
      12, 6,
    ]);
    expect(await whatIsTold(world)).toEqual(told);
    accepted(await compactGoal(world.project, { ...request, archive }, world.ambient));
    await compact(whole, keep(2));
    expect(await listOthers(world)).toEqual(await listOthers(whole));
    const cutoff = (await lastSeq(whole)) - 3;
    expect(await stateAt(world, cutoff)).toEqual(await stateAt(whole, cutoff));
    const archived = files.flatMap(({ lines }) => lines.slice(1, -1));
    expect(new Set(archived).size).toBe(archived.length);
  });

  test("is an owner's to make", async () => {
    const world = await openWorld();
    const request = { goalId: GOAL, actor: a1.actor, policy: keep(0), archive: null };
    expect(await refusalOf(compactGoal(world.project, request, world.ambient))).toBe("gate_needs_owner");
  });
});

async function momentsOf(world: World): Promise<readonly { readonly at: Instant; readonly seq: number }[]> {
  const events = await rowsOf(world.project, "events", "seq");
  const last = new Map(events.map((event) => [String(event["at"]) as Instant, Number(event["seq"])]));
  return [...last].map(([at, seq]) => ({ at, seq }));
}

/** Rows whose events are all gone, and turns of planning. */
function rowsWithoutEvents(world: World) {
  const closed = [toCount("turns", "turn"), toCount("evidence", "evidence"), toCount("todos", "todo")].join(" + ");
  return world.project.read((tx) =>
    tx.all(`SELECT ${closed} AS closed, (SELECT COUNT(*) FROM turns WHERE todo_id = 'replan') AS planned`),
  );
}

function toCount(table: string, kind: string): string {
  const events = `SELECT 1 FROM events e WHERE e.entity = '${kind}' AND e.entity_id = ${table}.${kind}_id`;
  return `(SELECT COUNT(*) FROM ${table} WHERE NOT EXISTS (${events}))`;
}
