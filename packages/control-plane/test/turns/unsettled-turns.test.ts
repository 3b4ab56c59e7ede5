import { describe, expect, test } from "vitest";
import { newGate } from "../../src/index.ts";
import {
  a1,
  accepted,
  GOAL,
  HOUR_MS,
  MINUTE_MS,
  openWorld,
  owner,
  refusalOf,
  TTL_MS,
  type World,
} from "../control-plane-world.ts";
import { contentOf } from "../store-content.ts";

const waste = async (world: World): Promise<void> => {
  await world.run("a1");
  world.ambient.advance(TTL_MS);
};

describe("turns without evidence, in a row", () => {
  test("the third is repair, for that agent only, until it says what happened", async () => {
    const world = await openWorld();
    await world.add("work");
    await world.add("more");
    await waste(world);
    await waste(world);
    const third = await world.run("a1");
    world.ambient.advance(TTL_MS);
    const repair = { kind: "repair", code: "turns_unsettled", turnId: third.turnId };
    const answer = await world.next("a1");
    expect([answer.decision, answer.releasedTurnId]).toEqual([repair, third.turnId]);
    world.ambient.advance(10 * HOUR_MS);
    const before = await contentOf(world.project);
    expect((await world.next("a1")).decision).toEqual({ ...repair, turnId: null });
    expect(await contentOf(world.project)).toEqual(before);
    expect((await world.next("a2")).decision.kind).toBe("run");
    accepted(await world.show("a1", null, { outcome: "no_change", text: "the host kept crashing" }));
    expect((await world.next("a1")).decision.kind).toBe("run");
  });

  test("evidence in between starts the count again", async () => {
    const world = await openWorld();
    await world.add("work");
    await waste(world);
    await waste(world);
    const { turnId } = await world.run("a1");
    accepted(await world.show("a1", turnId));
    accepted(await world.spend("a1", turnId));
    world.ambient.advance(TTL_MS);
    await waste(world);
    await waste(world);
    expect((await world.next("a1")).decision.kind).toBe("run");
  });
});

const plan = async (world: World): Promise<string> => {
  const { decision, turn } = await world.next("a1");
  expect(decision).toEqual({ kind: "replan", turn: "open" });
  world.ambient.advance(MINUTE_MS);
  return turn?.turn_id ?? "";
};

const settleFruitless = async (world: World): Promise<void> => {
  const turnId = await plan(world);
  accepted(await world.show("a1", turnId, { outcome: "no_change", text: "nothing to plan" }));
  accepted(await world.spend("a1", turnId));
};

describe("nothing runnable is left", () => {
  test("a plan is a turn of its own: its evidence is the todos it wrote", async () => {
    const world = await openWorld();
    const turnId = await plan(world);
    expect((await world.next("a1")).decision).toEqual({ kind: "replan", turn: "resume" });
    expect(await refusalOf(world.show("a1", turnId))).toBe("evidence_required");
    await world.add("written by a person");
    expect(await refusalOf(world.show("a1", turnId))).toBe("evidence_required");
    const written = await world.add("planned", { by: a1, priority: 0 });
    const recorded = accepted(await world.show("a1", turnId));
    expect(recorded.settlementIdentity).toBe(`${GOAL}:a1:replan:${turnId}`);
    accepted(await world.spend("a1", turnId));
    expect((await world.run("a1")).todoId).toBe(written.id);
  });

  test("the third fruitless plan in a row asks a person, until there is work again", async () => {
    const world = await openWorld();
    await settleFruitless(world);
    await settleFruitless(world);
    const before = await contentOf(world.project);
    expect((await world.next("a1")).decision).toEqual({ kind: "ask_user", reason: "replan_exhausted", todoIds: [] });
    expect(await contentOf(world.project)).toEqual(before);
    expect((await world.next("a2")).decision.kind).toBe("replan");
    await world.add("from a person");
    const run = await world.run("a1");
    accepted(await world.complete(run.todoId, { turnId: run.turnId, followUp: { kind: "open_ended" } }));
    accepted(await world.spend("a1", run.turnId));
    world.ambient.advance(MINUTE_MS);
    await plan(world);
  });

  test("plans that wrote something are not fruitless, whatever became of it", async () => {
    const world = await openWorld();
    for (const text of ["one", "two", "three"]) {
      const turnId = await plan(world);
      const { id } = await world.add(text, { by: a1 });
      accepted(await world.show("a1", turnId));
      accepted(await world.spend("a1", turnId));
      accepted(await world.complete(id, { caller: owner, followUp: { kind: "open_ended" } }));
      world.ambient.advance(MINUTE_MS);
    }
    expect((await world.next("a1")).decision.kind).toBe("replan");
  });

  test("a plan that was released takes no late evidence", async () => {
    const world = await openWorld();
    const turnId = await plan(world);
    world.ambient.advance(TTL_MS);
    await world.next("a1");
    await world.add("too late", { by: a1 });
    expect(await refusalOf(world.show("a1", turnId))).toBe("lease_lost");
  });

  test("a plan that is never shown counts as fruitless too", async () => {
    const world = await openWorld();
    for (const _ of [1, 2]) {
      await plan(world);
      world.ambient.advance(TTL_MS);
    }
    expect((await world.next("a1")).decision.kind).toBe("ask_user");
  });

  test("an objective edit that was put off holds nothing back: the agent plans on", async () => {
    const world = await openWorld();
    const gate = { ...newGate("objective_edit", []), proposed_objective: "else" };
    const { id } = await world.add("May the objective change?", { role: "user", task_class: "user_gate", gate });
    const askAgainAt = world.ambient.now();
    accepted(await world.decide(id, "defer", { askAgainAt }));
    expect((await world.next("a1")).decision.kind).toBe("replan");
  });
});
