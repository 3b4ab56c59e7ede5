import type { Instant } from "@loopx/contracts";
import type { SqlRow } from "@loopx/store";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ACTIVATIONS } from "../../src/activations/activation-rows.ts";
import { AGENTS } from "../../src/agents/agent-rows.ts";
import { COMPACTIONS } from "../../src/compactions/compaction-rows.ts";
import { decodeRow, type EntityTable } from "../../src/events/entity-table.ts";
import { CONTEXT_ATTACHMENTS } from "../../src/contexts/context-attachment-rows.ts";
import { GOALS } from "../../src/goals/goal-rows.ts";
import { EVENT_TYPES, findSeqAt, listEvents, loadLastSeq, loadStateAt, pauseGoal } from "../../src/index.ts";
import { DECISION_REVIEWS } from "../../src/reviews/decision-review-rows.ts";
import { THREAD_BINDINGS } from "../../src/threads/thread-binding-rows.ts";
import { TODOS } from "../../src/todos/todo-rows.ts";
import { EVIDENCE, TURNS } from "../../src/turns/turn-rows.ts";
import { a1, accepted, GOAL, HOUR_MS, openWorld, owner, START, TTL_MS, type World } from "../control-plane-world.ts";
import { rowsOf } from "../store-content.ts";
import { randomCommands, runCommand } from "../random-commands.ts";

const TABLES = [
  ACTIVATIONS,
  AGENTS,
  COMPACTIONS,
  CONTEXT_ATTACHMENTS,
  DECISION_REVIEWS,
  EVIDENCE,
  GOALS,
  THREAD_BINDINGS,
  TODOS,
  TURNS,
] as unknown as readonly EntityTable<object>[];

/** Leases are renewed in place, without an event: they may only be later than their image says. */
const LEASES = ["claim_expires_at", "lease_expires_at"];

const withoutLeases = (entity: object): string =>
  JSON.stringify(entity, (key, value: unknown) => (LEASES.includes(key) ? undefined : value));

async function entitiesOf(world: World): Promise<readonly object[]> {
  const entities: object[] = [];
  for (const table of TABLES) {
    const rows: readonly SqlRow[] = await rowsOf(world.project, table.name);
    entities.push(...rows.map((row) => decodeRow(table, row)));
  }
  return entities;
}

async function stateAt(world: World, seq: number): Promise<readonly object[]> {
  const events = await world.project.read((tx) => loadStateAt(tx, GOAL, seq));
  return events.map((event) => event.image);
}

const sorted = (entities: readonly object[]): readonly string[] =>
  entities.map(inKeyOrder).map(withoutLeases).toSorted();
const inKeyOrder = (entity: object): object =>
  Object.fromEntries(Object.entries(entity).toSorted(([left], [right]) => (left < right ? -1 : 1)));

const leasesIn = (entities: readonly object[]): readonly unknown[] =>
  entities.flatMap((entity) => Object.entries(entity).filter(([key, value]) => LEASES.includes(key) && value !== null));

const REVIEWS = [0, 1].map((what) => ({ verb: "review", pick: 0, who: 0, what }) as const);
const ATTACH = [0, 1, 2].map((what) => ({ verb: "attach", pick: 0, who: 0, what }) as const);
const ACTIVATE = { verb: "activate", pick: 0, who: 0, what: 1 } as const;

describe("history", () => {
  test("after any commands, the state as of each event is what the rows were then", async () => {
    const seen = new Set<unknown>();
    const check = async (commands: Parameters<typeof runCommand>[1][]): Promise<void> => {
      const world = await openWorld();
      const snapshots: { readonly seq: number; readonly entities: readonly string[] }[] = [];
      for (const command of commands) {
        await runCommand(world, command);
        const seq = await world.project.read((tx) => loadLastSeq(tx, GOAL));
        snapshots.push({ seq, entities: sorted(await entitiesOf(world)) });
      }
      for (const { seq, entities } of snapshots) expect(sorted(await stateAt(world, seq))).toEqual(entities);
      const events = await rowsOf(world.project, "events", "seq");
      expect(events.map((event) => event["seq"])).toEqual(events.map((_, index) => index + 1));
      expect(events.map((event) => String(event["at"]))).toEqual(events.map((event) => String(event["at"])).toSorted());
      for (const event of events) seen.add(event["type"]);
    };
    await fc.assert(
      fc.asyncProperty(randomCommands, (commands) => check([...commands, ACTIVATE, ...REVIEWS, ...ATTACH])),
      { numRuns: 40, seed: 7 },
    );
    // A walk that never meets an event proves nothing about it.
    const rare = ["goal_completed.v1", "goal_stopped.v1", "turn_lapsed.v1", "events_compacted.v1"];
    expect(Object.keys(EVENT_TYPES).filter((type) => !seen.has(type) && !rare.includes(type))).toEqual([]);
  });

  test("a renewed lease is later than its image, everything else is as the image says", async () => {
    const world = await openWorld();
    await world.add("work");
    await world.run("a1");
    world.ambient.advance(TTL_MS / 2);
    await world.next("a1");
    const seq = await world.project.read((tx) => loadLastSeq(tx, GOAL));
    const rows = await entitiesOf(world);
    const images = await stateAt(world, seq);
    expect(sorted(images)).toEqual(sorted(rows));
    expect(leasesIn(images).map(String).toSorted()).toEqual([
      "claim_expires_at,2026-03-01T12:45:00.000Z",
      "lease_expires_at,2026-03-01T12:45:00.000Z",
    ]);
    expect(leasesIn(rows).map(String).toSorted()).toEqual([
      "claim_expires_at,2026-03-01T13:07:30.000Z",
      "lease_expires_at,2026-03-01T13:07:30.000Z",
    ]);
  });

  test("a page begins below the last one, newest first", async () => {
    const world = await openWorld();
    for (const text of ["one", "two", "three"]) await world.add(text);
    const page = (beforeSeq: number | null, limit: number): Promise<readonly number[]> =>
      world.project.read(async (tx) => (await listEvents(tx, GOAL, { beforeSeq, limit })).map((event) => event.seq));
    expect(await page(null, 4)).toEqual([6, 5, 4, 3]);
    expect(await page(3, 4)).toEqual([2, 1]);
    expect(await page(1, 4)).toEqual([]);
  });

  test("a moment is found by the last event at or before it", async () => {
    const world = await openWorld();
    await world.add("work");
    world.ambient.advance(HOUR_MS);
    accepted(await pauseGoal(world.project, { goalId: GOAL, caller: a1, reason: null }, world.ambient));
    const seqAt = (at: string): Promise<number> => world.project.read((tx) => findSeqAt(tx, GOAL, at as Instant));
    expect(await seqAt("2026-03-01T11:59:59.999Z")).toBe(0);
    expect(await seqAt(START)).toBe(4);
    expect(await seqAt("2026-03-01T12:59:59.999Z")).toBe(4);
    expect(await seqAt("2026-03-01T13:00:00.000Z")).toBe(5);
    expect(await stateAt(world, 0)).toEqual([]);
    const before = await stateAt(world, 4);
    expect(before).toContainEqual(expect.objectContaining({ goal_id: GOAL, status: "active", revision: 1 }));
  });

  test("an event says who, what, when, and holds the whole entity as it was afterwards", async () => {
    const world = await openWorld();
    const { todo } = await world.add("work", { by: owner });
    const [event] = await world.project.read((tx) => listEvents(tx, GOAL, { beforeSeq: null, limit: 1 }));
    expect(event).toEqual({
      goal_id: GOAL,
      seq: 4,
      type: "todo_added.v1",
      at: START,
      actor: { kind: "owner", via: "terminal" },
      entity: "todo",
      entity_id: todo.todo_id,
      image: todo,
    });
  });
});
