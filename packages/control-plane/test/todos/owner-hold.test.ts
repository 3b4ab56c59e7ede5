import * as fc from "fast-check";
import { addMs } from "@loopx/contracts";
import { describe, expect, test } from "vitest";
import {
  claimTodo,
  deferTodo,
  releaseTodo,
  supersedeTodo,
  updateTodo,
  type Caller,
  type Todo,
} from "../../src/index.ts";
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
  TTL_MS,
  type World,
} from "../control-plane-world.ts";
import { verb, runCommand, type RandomCommand } from "../random-commands.ts";

const LONG_AGO = "after:2020-01-01T00:00:00.000Z";
const LATER = `after:${addMs(START, 2 * HOUR_MS)}`;
const UNTOUCHED = {
  text: null,
  priority: null,
  status: null,
  note: null,
  reason: null,
  addDependsOn: [],
  removeDependsOn: [],
  clearClaim: false,
};

type Edit = Partial<Parameters<typeof updateTodo>[1]["edit"]>;
type Replacement = Parameters<typeof supersedeTodo>[1]["replacement"];

const update = (world: World, todoId: string, edit: Edit, caller: Caller = a1): ReturnType<typeof updateTodo> =>
  updateTodo(world.project, { goalId: GOAL, todoId, caller, edit: { ...UNTOUCHED, ...edit } }, world.ambient);
const defer = (world: World, todoId: string, resume: string, caller: Caller = a1): ReturnType<typeof deferTodo> =>
  deferTodo(world.project, { goalId: GOAL, todoId, caller, resume, reason: null }, world.ambient);
const supersede = (
  world: World,
  todoId: string,
  replacement: Replacement,
  caller: Caller = a1,
): ReturnType<typeof supersedeTodo> =>
  supersedeTodo(world.project, { goalId: GOAL, todoId, caller, reason: "other words", replacement }, world.ambient);
const block = async (world: World, todoId: string, caller: Caller): Promise<Todo> =>
  accepted(await update(world, todoId, { status: "blocked", reason: "wait for legal" }, caller)).todo;

describe("what an owner holds", () => {
  test("blocked by an owner: an agent neither puts it off, opens it, drops it nor says otherwise why", async () => {
    const world = await openWorld();
    const { id } = await world.add("work", { by: a1 });
    const other = await world.add("other", { by: a1 });
    const held = await block(world, id, owner);
    expect(await refusalOf(defer(world, id, LONG_AGO))).toBe("gate_needs_owner");
    expect(await refusalOf(update(world, id, { status: "open" }))).toBe("gate_needs_owner");
    expect(await refusalOf(update(world, id, { status: "blocked", reason: "no" }))).toBe("gate_needs_owner");
    expect(await refusalOf(supersede(world, id, { kind: "none" }))).toBe("gate_needs_owner");
    expect(await refusalOf(supersede(world, id, { kind: "successor", todoId: other.id }))).toBe("gate_needs_owner");
    expect(await world.todo(id)).toEqual(held);
    expect(accepted(await update(world, id, { note: "the draft is in docs/" })).todo.held_by).toBe("owner:terminal");
    expect(accepted(await update(world, id, { status: "open" }, owner)).todo).toMatchObject({
      status: "open",
      held_by: null,
    });
  });

  test("put off by an owner: an agent may block it as well, and it stays the owner's to free", async () => {
    const world = await openWorld();
    const { id } = await world.add("work", { by: a1 });
    accepted(await defer(world, id, "manual", owner));
    expect(await refusalOf(defer(world, id, "manual"))).toBe("gate_needs_owner");
    expect((await block(world, id, a1)).held_by).toBe("owner:terminal");
    expect(await refusalOf(update(world, id, { status: "open" }))).toBe("gate_needs_owner");
    expect(await refusalOf(defer(world, id, LONG_AGO))).toBe("gate_needs_owner");
    expect(accepted(await update(world, id, { status: "open" }, owner)).todo.held_by).toBeNull();
  });

  test("a todo that takes the place of a held one is held as well", async () => {
    const world = await openWorld();
    const blocked = await world.add("blocked", { by: a1 });
    await block(world, blocked.id, owner);
    const deferred = await world.add("deferred", { by: a1 });
    accepted(await defer(world, deferred.id, LATER, owner));
    const [first, second] = [
      accepted(await supersede(world, blocked.id, { kind: "next", text: "blocked, in other words" })).nextTodo,
      accepted(await supersede(world, deferred.id, { kind: "next", text: "deferred, in other words" })).nextTodo,
    ];
    expect(first).toMatchObject({ status: "blocked", held_by: "owner:terminal", reason: "wait for legal" });
    expect(second).toMatchObject({ status: "deferred", held_by: "owner:terminal", resume: LATER });
    expect((await world.next("a1")).decision.kind).toBe("wait");
    world.ambient.advance(2 * HOUR_MS);
    expect((await world.run("a1")).todoId).toBe(second?.todo_id);
  });

  test("what an owner put off until a todo is done, an agent does not free by dropping that todo", async () => {
    const world = await openWorld();
    const first = await world.add("first", { by: a1 });
    const done = await world.add("done", { by: a1 });
    accepted(await world.complete(done.id));
    const { id } = await world.add("later", { resume: `todo_done:${first.id}` });
    expect(await refusalOf(supersede(world, first.id, { kind: "none" }))).toBe("gate_needs_owner");
    expect(await refusalOf(supersede(world, first.id, { kind: "successor", todoId: done.id }))).toBe(
      "gate_needs_owner",
    );
    const { nextTodo } = accepted(await supersede(world, first.id, { kind: "next", text: "first, in other words" }));
    expect(await world.todo(id)).toMatchObject({ status: "deferred", resume: `todo_done:${nextTodo?.todo_id}` });
    accepted(await supersede(world, nextTodo?.todo_id ?? "", { kind: "none" }, owner));
    expect(await world.todo(id)).toMatchObject({ status: "open", resume: null, held_by: null });
  });

  test("once its condition has come it is an agent's again", async () => {
    const world = await openWorld();
    const { id } = await world.add("work", { by: a1 });
    accepted(await defer(world, id, LATER, owner));
    world.ambient.advance(2 * HOUR_MS);
    expect((await block(world, id, a1)).held_by).toBe("agent:a1");
    expect(accepted(await update(world, id, { status: "open" })).todo.status).toBe("open");
  });
});

describe("what waits for a person by its resume condition", () => {
  test("is not put off otherwise, opened or blocked and then opened by an agent", async () => {
    const world = await openWorld();
    const call = await world.add("call the bank", { role: "user", task_class: "user_action" });
    const { id } = await world.add("work", { by: a1, resume: `todo_done:${call.id}` });
    expect(await refusalOf(defer(world, id, LONG_AGO))).toBe("gate_needs_owner");
    expect(await refusalOf(update(world, id, { status: "open" }))).toBe("gate_needs_owner");
    expect(await refusalOf(defer(world, id, `todo_done:${call.id}`))).toBe("accepted");
    await block(world, id, a1);
    expect(await refusalOf(update(world, id, { status: "open" }))).toBe("gate_needs_owner");
    expect(await refusalOf(defer(world, id, LONG_AGO))).toBe("gate_needs_owner");
    expect(await refusalOf(defer(world, id, `todo_done:${call.id}`))).toBe("accepted");
    const { nextTodo } = accepted(await supersede(world, id, { kind: "next", text: "work, in other words" }));
    expect(nextTodo).toMatchObject({ status: "deferred", resume: `todo_done:${call.id}` });
    accepted(await world.complete(call.id, { caller: owner }));
    expect((await world.run("a1")).todoId).toBe(nextTodo?.todo_id);
  });

  test("waits for what takes that step's place, blocked or not", async () => {
    const world = await openWorld();
    const call = await world.add("call the bank", { role: "user", task_class: "user_action" });
    const { id } = await world.add("work", { by: a1, resume: `todo_done:${call.id}` });
    await block(world, id, a1);
    const write = await world.add("write to the bank", { role: "user", task_class: "user_action" });
    accepted(await supersede(world, call.id, { kind: "successor", todoId: write.id }, owner));
    expect(await world.todo(id)).toMatchObject({ status: "blocked", resume: `todo_done:${write.id}` });
    accepted(await supersede(world, write.id, { kind: "none" }, owner));
    expect(await world.todo(id)).toMatchObject({ status: "blocked", resume: null, held_by: "agent:a1" });
  });
});

/** How an owner holds a todo for as long as nobody but a person or a far time frees it. */
const HOLDS: readonly ((world: World, todoId: string, actionId: string) => Promise<unknown>)[] = [
  (world, todoId) => block(world, todoId, owner),
  (world, todoId) => defer(world, todoId, "manual", owner),
  (world, todoId) => defer(world, todoId, `after:${addMs(START, 1000 * HOUR_MS)}`, owner),
  (world, todoId, actionId) => defer(world, todoId, `todo_done:${actionId}`, owner),
];

const AGENTS_VERBS: readonly RandomCommand["verb"][] = [
  "add",
  "claim",
  "release",
  "update",
  "defer",
  "complete",
  "supersede",
  "archive",
  "next",
  "show",
  "spend",
  "pause",
  "edit",
];

test("no sequence of an agent's commands makes a todo runnable that an owner held, nor what took its place", async () => {
  const reached = new Set<string>();
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0, max: HOLDS.length - 1 }),
      fc.array(verb(AGENTS_VERBS), { minLength: 10, maxLength: 25 }),
      async (how, commands) => {
        const world = await openWorld();
        const action = await world.add("call the bank", { role: "user", task_class: "user_action" });
        const before = await world.add("other work", { by: a1 });
        const { id } = await world.add("held work", { by: a1, depends_on: [] });
        await HOLDS[how]?.(world, id, action.id);
        for (const command of commands) {
          // An odd number names an agent; every third one would be the owner.
          await runCommand(world, { ...command, who: command.who % 2 === 0 ? 2 : 1 });
          reached.add(command.verb);
          await mustBeHeld(world, id);
        }
        await tryEverything(world, id, before.id);
        await mustBeHeld(world, id);
      },
    ),
    { numRuns: 60 },
  );
  expect([...reached].toSorted()).toEqual([...AGENTS_VERBS].toSorted());
});

/** The held todo, or the last one that stands in its place, has not been opened. */
async function mustBeHeld(world: World, todoId: string): Promise<void> {
  let todo = await world.todo(todoId);
  while (todo.status === "superseded") {
    if (todo.successor_todo_id === null) throw new Error("an agent dropped what an owner held");
    todo = await world.todo(todo.successor_todo_id);
  }
  expect(["blocked", "deferred"]).toContain(todo.status);
  expect(todo.claimed_by).toBeNull();
}

/** Straight at the held todo, in case the random ones missed it. */
async function tryEverything(world: World, heldId: string, otherId: string): Promise<void> {
  const request = { goalId: GOAL, todoId: heldId, caller: callerOf("a2") };
  await update(world, heldId, { status: "blocked", reason: "mine" });
  await defer(world, heldId, LONG_AGO);
  await defer(world, heldId, `todo_done:${otherId}`);
  await update(world, heldId, { status: "open" });
  await releaseTodo(world.project, request, world.ambient);
  await claimTodo(world.project, { ...request, agentId: "a2", leaseTtlMs: TTL_MS }, world.ambient);
  await world.complete(heldId);
  await supersede(world, heldId, { kind: "successor", todoId: otherId });
  await supersede(world, heldId, { kind: "none" });
}
