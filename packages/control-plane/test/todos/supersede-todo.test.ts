import { describe, expect, test } from "vitest";
import { newGate, supersedeTodo, updateTodo } from "../../src/index.ts";
import { a1, accepted, GOAL, openWorld, owner, refusalOf, type World } from "../control-plane-world.ts";
import { contentOf } from "../store-content.ts";

type Replacement = Parameters<typeof supersedeTodo>[1]["replacement"];

const supersede = (
  world: World,
  todoId: string,
  replacement: Replacement,
  caller = a1,
): ReturnType<typeof supersedeTodo> =>
  supersedeTodo(world.project, { goalId: GOAL, todoId, caller, reason: "split", replacement }, world.ambient);

describe("supersedeTodo", () => {
  test("what depended on it depends on the new todo", async () => {
    const world = await openWorld();
    const old = await world.add("old", { priority: 1 });
    const dependent = await world.add("dependent", { depends_on: [old.id] });
    const { todo, nextTodo } = accepted(await supersede(world, old.id, { kind: "next", text: "new" }));
    expect([todo.status, todo.reason, todo.successor_todo_id]).toEqual(["superseded", "split", nextTodo?.todo_id]);
    expect(nextTodo).toMatchObject({ text: "new", priority: 1 });
    expect((await world.todo(dependent.id)).depends_on).toEqual([nextTodo?.todo_id]);
    const run = await world.run("a1");
    expect(run.todoId).toBe(nextTodo?.todo_id);
  });

  test("or on the one that exists, once; or on nothing", async () => {
    const world = await openWorld();
    const old = await world.add("old", { by: a1 });
    const other = await world.add("other", { by: a1 });
    const both = await world.add("both", { depends_on: [old.id, other.id] });
    accepted(await supersede(world, old.id, { kind: "successor", todoId: other.id }));
    expect((await world.todo(both.id)).depends_on).toEqual([other.id]);
    accepted(await supersede(world, other.id, { kind: "none" }));
    expect((await world.todo(both.id)).depends_on).toEqual([]);
    expect((await world.run("a1")).todoId).toBe(both.id);
  });

  test("what waits for it to be done waits for the replacement, and without one is free", async () => {
    const world = await openWorld();
    const old = await world.add("old", { by: a1 });
    const waiting = await world.add("waiting", { by: a1, resume: `todo_done:${old.id}`, priority: 0 });
    const { nextTodo } = accepted(await supersede(world, old.id, { kind: "next", text: "new" }));
    expect((await world.todo(waiting.id)).resume).toBe(`todo_done:${nextTodo?.todo_id}`);
    accepted(await supersede(world, nextTodo?.todo_id ?? "", { kind: "none" }));
    expect(await world.todo(waiting.id)).toMatchObject({ status: "open", resume: null });
    expect((await world.run("a1")).todoId).toBe(waiting.id);
  });

  test("a todo that waited for the one it replaces waits no longer", async () => {
    const world = await openWorld();
    const old = await world.add("old", { by: a1 });
    const waiting = await world.add("waiting", { by: a1, resume: `todo_done:${old.id}` });
    accepted(await supersede(world, old.id, { kind: "successor", todoId: waiting.id }));
    expect((await world.run("a1")).todoId).toBe(waiting.id);
  });

  test("again is already so; a finished todo is not superseded", async () => {
    const world = await openWorld();
    const old = await world.add("old", { by: a1 });
    const done = await world.add("done", { by: a1 });
    await world.add("stays");
    accepted(await supersede(world, old.id, { kind: "none" }));
    await world.complete(done.id);
    const before = await contentOf(world.project);
    expect(accepted(await supersede(world, old.id, { kind: "next", text: "x" })).changed).toBe(false);
    expect(await refusalOf(supersede(world, done.id, { kind: "none" }))).toBe("todo_not_open");
    expect(await contentOf(world.project)).toEqual(before);
  });

  test("a replacement that waits for it, is it, or is itself superseded is refused", async () => {
    const world = await openWorld();
    const old = await world.add("old", { by: a1 });
    const dependent = await world.add("dependent", { depends_on: [old.id] });
    const further = await world.add("further", { depends_on: [dependent.id] });
    const gone = await world.add("gone", { by: a1 });
    accepted(await supersede(world, gone.id, { kind: "none" }));
    const before = await contentOf(world.project);
    const to = (todoId: string): Promise<string> => refusalOf(supersede(world, old.id, { kind: "successor", todoId }));
    expect(await to(old.id)).toBe("dependency_cycle");
    expect(await to(dependent.id)).toBe("dependency_cycle");
    expect(await to(further.id)).toBe("dependency_cycle");
    expect(await to(gone.id)).toBe("todo_not_open");
    expect(await to("todo_999999")).toBe("unknown_todo");
    expect(await contentOf(world.project)).toEqual(before);
  });

  test("only the holder or an owner; a person's todo only an owner; its own gate closes", async () => {
    const world = await openWorld();
    const held = await world.add("held", { claimedBy: "a2" });
    const call = await world.add("call the bank", { role: "user", task_class: "user_action" });
    const action = await world.add("push", { action_kind: "production", by: a1 });
    expect(await refusalOf(supersede(world, held.id, { kind: "none" }))).toBe("todo_claimed_by_other");
    expect(await refusalOf(supersede(world, call.id, { kind: "none" }))).toBe("gate_needs_owner");
    accepted(await supersede(world, call.id, { kind: "none" }, owner));
    accepted(await supersede(world, action.id, { kind: "none" }));
    expect((await world.todo(action.gate?.todo_id ?? "")).status).toBe("superseded");
  });

  test("an agent puts an owner's todo in other words, held to the same check; it cannot drop it", async () => {
    const world = await openWorld();
    const first = await world.add("first");
    const { id } = await world.add("old", { depends_on: [first.id], target_key: "src/a.ts" });
    const other = await world.add("other");
    expect(await refusalOf(supersede(world, id, { kind: "none" }))).toBe("gate_needs_owner");
    expect(await refusalOf(supersede(world, id, { kind: "successor", todoId: other.id }))).toBe("gate_needs_owner");
    const { nextTodo } = accepted(await supersede(world, id, { kind: "next", text: "in other words" }));
    expect(nextTodo).toMatchObject({ depends_on: [first.id], target_key: "src/a.ts" });
    accepted(await supersede(world, nextTodo?.todo_id ?? "", { kind: "none" }, owner));
  });

  test("an agent cannot put another todo in the place of one that a gate asks about, whatever was decided", async () => {
    const world = await openWorld();
    const action = await world.add("publish", { action_kind: "external_publication" });
    const gateId = action.gate?.todo_id ?? "";
    const next = { kind: "next", text: "publish, the same" } as const;
    expect(await refusalOf(supersede(world, action.id, next))).toBe("gate_needs_owner");
    accepted(await world.decide(gateId, "reject"));
    expect(await refusalOf(supersede(world, action.id, next))).toBe("gate_needs_owner");
    accepted(await world.decide(gateId, "approve"));
    expect(await refusalOf(supersede(world, action.id, next))).toBe("gate_needs_owner");
    accepted(await supersede(world, action.id, next, owner));
  });

  test("a replacement that would make what waits for the todo wait for itself is refused; one that itself waits for it goes on", async () => {
    const world = await openWorld();
    const old = await world.add("old", { by: a1 });
    const waiting = await world.add("waiting", { by: a1, resume: `todo_done:${old.id}` });
    const needing = await world.add("needing", { by: a1, depends_on: [waiting.id] });
    const before = await contentOf(world.project);
    const refused = supersede(world, old.id, { kind: "successor", todoId: needing.id });
    expect(await refusalOf(refused)).toBe("dependency_cycle");
    expect(await contentOf(world.project)).toEqual(before);
    accepted(await supersede(world, old.id, { kind: "successor", todoId: waiting.id }));
    expect(await world.todo(waiting.id)).toMatchObject({ status: "open", resume: null });
  });

  test("what a rejected gate blocks still waits for what it waited for: no circle is closed behind it", async () => {
    const world = await openWorld();
    const first = await world.add("first");
    const later = await world.add("later", { resume: `todo_done:${first.id}` });
    const gate = { role: "user", task_class: "user_gate", gate: newGate("decision", [later.id]) } as const;
    const { id: gateId } = await world.add("may I?", gate);
    accepted(await world.decide(gateId, "reject"));
    const edit = {
      text: null,
      priority: null,
      status: null,
      note: null,
      reason: null,
      addDependsOn: [later.id],
      removeDependsOn: [],
      clearClaim: false,
    };
    const request = { goalId: GOAL, todoId: first.id, caller: owner, edit };
    expect(await refusalOf(updateTodo(world.project, request, world.ambient))).toBe("dependency_cycle");
    accepted(await world.decide(gateId, "approve"));
    expect(await world.todo(later.id)).toMatchObject({ status: "deferred", resume: `todo_done:${first.id}` });
  });
});
