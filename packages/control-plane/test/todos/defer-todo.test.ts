import { describe, expect, test } from "vitest";
import { deferTodo, newGate } from "../../src/index.ts";
import {
  a1,
  accepted,
  callerOf,
  GOAL,
  HOUR_MS,
  openWorld,
  owner,
  refusalOf,
  START,
  type World,
} from "../control-plane-world.ts";

const defer = (world: World, todoId: string, resume: string, caller = a1): ReturnType<typeof deferTodo> =>
  deferTodo(world.project, { goalId: GOAL, todoId, caller, resume, reason: "not now" }, world.ambient);

describe("deferTodo", () => {
  test("gives the claim back and says why", async () => {
    const world = await openWorld();
    const { id } = await world.add("work", { claimedBy: "a1" });
    const { todo } = accepted(await defer(world, id, "manual"));
    // Written again it is the same todo: the hold stays on it.
    expect(await world.add(todo.text)).toMatchObject({ id, alreadyExists: true });
    expect([todo.status, todo.resume, todo.reason, todo.claimed_by, todo.claim_epoch]).toEqual([
      "deferred",
      "manual",
      "not now",
      null,
      2,
    ]);
  });

  test("until a time: runnable by itself from that moment on", async () => {
    const world = await openWorld();
    const { id } = await world.add("work");
    await defer(world, id, "after:2026-03-01T14:00:00.000Z");
    expect((await world.next("a1")).decision).toEqual({
      kind: "wait",
      reason: "deferred_until",
      until: "2026-03-01T14:00:00.000Z",
    });
    world.ambient.advance(2 * HOUR_MS - 1);
    expect((await world.next("a1")).decision.kind).toBe("wait");
    world.ambient.advance(1);
    const { todo } = await world.next("a1");
    expect([todo?.todo_id, todo?.status, todo?.resume]).toEqual([id, "open", null]);
    expect((await world.todo(id)).status).toBe("open");
  });

  test("until another todo is done: runnable by itself then", async () => {
    const world = await openWorld();
    const first = await world.add("first", { claimedBy: "a2" });
    const second = await world.add("second", { resume: `todo_done:${first.id}` });
    expect(second.todo.status).toBe("deferred");
    expect((await world.next("a1")).decision.kind).toBe("wait");
    accepted(await world.complete(first.id, { caller: callerOf("a2") }));
    expect((await world.run("a1")).todoId).toBe(second.id);
  });

  test("manual: never by itself", async () => {
    const world = await openWorld();
    const { id } = await world.add("work");
    await defer(world, id, "manual");
    world.ambient.advance(10_000 * HOUR_MS);
    expect((await world.next("a1")).decision).toEqual({ kind: "wait", reason: "deferred_manual", until: null });
  });

  test("what cannot be deferred is refused", async () => {
    const world = await openWorld();
    const held = await world.add("held", { claimedBy: "a2" });
    const call = await world.add("call the bank", { role: "user", task_class: "user_action" });
    const gate = await world.add("may I?", {
      role: "user",
      task_class: "user_gate",
      gate: newGate("decision", ["goal"]),
    });
    const done = await world.add("done");
    await world.complete(done.id, { caller: owner });
    const later = `after:${START}`;
    expect(await refusalOf(defer(world, held.id, later))).toBe("todo_claimed_by_other");
    expect(await refusalOf(defer(world, call.id, later))).toBe("gate_needs_owner");
    expect(await refusalOf(defer(world, gate.id, later, owner))).toBe("todo_is_gate");
    expect(await refusalOf(defer(world, done.id, later))).toBe("todo_not_open");
    expect(await refusalOf(defer(world, held.id, `todo_done:${held.id}`, owner))).toBe("dependency_cycle");
    expect(await refusalOf(defer(world, held.id, "todo_done:todo_999999", owner))).toBe("unknown_todo");
    expect(accepted(await defer(world, call.id, later, owner)).todo.status).toBe("deferred");
  });
});

describe("what a todo waits for", () => {
  test("may not wait for the todo itself, neither by a condition nor by a dependency", async () => {
    const world = await openWorld();
    const first = await world.add("first");
    const second = await world.add("second", { resume: `todo_done:${first.id}` });
    const third = await world.add("third", { depends_on: [second.id] });
    const deferred = (todoId: string, awaited: string): Promise<string> =>
      refusalOf(
        deferTodo(
          world.project,
          { goalId: GOAL, todoId, caller: a1, resume: `todo_done:${awaited}`, reason: null },
          world.ambient,
        ),
      );
    expect(await deferred(first.id, first.id)).toBe("dependency_cycle");
    expect(await deferred(first.id, second.id)).toBe("dependency_cycle");
    expect(await deferred(first.id, third.id)).toBe("dependency_cycle");
    expect(await deferred(third.id, first.id)).toBe("accepted");
  });
});
