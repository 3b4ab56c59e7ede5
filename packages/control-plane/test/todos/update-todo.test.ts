import { describe, expect, test } from "vitest";
import { updateTodo } from "../../src/index.ts";
import { a1, accepted, GOAL, openSecond, openWorld, owner, refusalOf, type World } from "../control-plane-world.ts";
import { contentOf } from "../store-content.ts";

const edit = (world: World, todoId: string, fields: object, caller = a1): ReturnType<typeof updateTodo> => {
  const untouched = {
    text: null,
    priority: null,
    status: null,
    note: null,
    reason: null,
    addDependsOn: [],
    removeDependsOn: [],
    clearClaim: false,
  };
  const request = { goalId: GOAL, todoId, caller, edit: { ...untouched, ...fields } };
  return updateTodo(world.project, request, world.ambient);
};

describe("updateTodo", () => {
  test("two editors of two fields both keep what they wrote", async () => {
    const world = await openWorld();
    const { id } = await world.add("work");
    const second = await openSecond(world);
    await Promise.all([edit(world, id, { priority: 0 }), edit(second, id, { note: "look at the log" })]);
    expect(await world.todo(id)).toMatchObject({ text: "work", priority: 0, note: "look at the log" });
  });

  test("an edit that changes nothing writes no event", async () => {
    const world = await openWorld();
    const { id } = await world.add("work");
    const before = await contentOf(world.project);
    expect(accepted(await edit(world, id, { text: "work", priority: 2 })).changed).toBe(false);
    expect(await contentOf(world.project)).toEqual(before);
  });

  test("blocking needs a reason and gives the claim back; opening again clears the reason", async () => {
    const world = await openWorld();
    const { id } = await world.add("work", { claimedBy: "a1" });
    expect(await refusalOf(edit(world, id, { status: "blocked" }))).toBe("missing_flag");
    const blocked = accepted(await edit(world, id, { status: "blocked", reason: "no access" })).todo;
    expect([blocked.status, blocked.reason, blocked.claimed_by, blocked.claim_epoch]).toEqual([
      "blocked",
      "no access",
      null,
      2,
    ]);
    const asked = await world.next("a1");
    expect(asked.decision).toEqual({ kind: "ask_user", reason: "blocked", todoIds: [id] });
    const open = accepted(await edit(world, id, { status: "open" })).todo;
    expect([open.status, open.reason]).toEqual(["open", null]);
  });

  test("another's live claim, a person's todo and a finished one are not an agent's to change", async () => {
    const world = await openWorld();
    const held = await world.add("held", { claimedBy: "a2" });
    const person = await world.add("call the bank", { role: "user", task_class: "user_action" });
    const done = await world.add("done");
    await world.complete(done.id);
    expect(await refusalOf(edit(world, held.id, { priority: 0 }))).toBe("todo_claimed_by_other");
    expect(await refusalOf(edit(world, person.id, { priority: 0 }))).toBe("gate_needs_owner");
    expect(await refusalOf(edit(world, done.id, { priority: 0 }, owner))).toBe("todo_not_open");
    expect(accepted(await edit(world, held.id, { priority: 0 }, owner)).todo.priority).toBe(0);
  });

  test("what an owner was asked to approve stays what is done: an agent cannot rewrite a restricted action", async () => {
    const world = await openWorld();
    const { id, gate } = await world.add("delete branch old", { action_kind: "destructive_git" });
    expect(await refusalOf(edit(world, id, { text: "delete every branch" }))).toBe("gate_needs_owner");
    await world.decide(gate?.todo_id ?? "", "approve");
    expect(await refusalOf(edit(world, id, { text: "delete every branch" }))).toBe("gate_needs_owner");
    expect(accepted(await edit(world, id, { note: "the remote one too" })).changed).toBe(true);
    expect(accepted(await edit(world, id, { text: "delete branch older" }, owner)).todo.text).toBe(
      "delete branch older",
    );
  });

  test("a dependency holds until it is done, and can be taken away", async () => {
    const world = await openWorld();
    const first = await world.add("first", { claimedBy: "a2" });
    const second = await world.add("second", { priority: 0 });
    await edit(world, second.id, { addDependsOn: [first.id, first.id] });
    expect((await world.todo(second.id)).depends_on).toEqual([first.id]);
    expect((await world.next("a1")).decision).toEqual({
      kind: "wait",
      reason: "claimed_by_others",
      until: "2026-03-01T12:45:00.000Z",
    });
    await edit(world, second.id, { removeDependsOn: [first.id] });
    expect((await world.run("a1")).todoId).toBe(second.id);
  });

  test("dependencies that would close a circle are refused with the circle", async () => {
    const world = await openWorld();
    const first = await world.add("first");
    const second = await world.add("second", { depends_on: [first.id] });
    const third = await world.add("third", { depends_on: [second.id] });
    const before = await contentOf(world.project);
    expect(await refusalOf(edit(world, first.id, { addDependsOn: [first.id] }))).toBe("dependency_cycle");
    expect(await edit(world, first.id, { addDependsOn: [third.id] })).toMatchObject({
      ok: false,
      code: "dependency_cycle",
      details: { cycle: [first.id, third.id, second.id, first.id], cycle_length: 4 },
    });
    expect(await refusalOf(edit(world, first.id, { addDependsOn: ["todo_999999"] }))).toBe("unknown_todo");
    expect(await contentOf(world.project)).toEqual(before);
  });

  test("a goal of 5,000 todos full of diamonds still says yes or no", async () => {
    const world = await openWorld();
    const top = await world.add("top");
    const below = await world.add("below");
    const { id } = await world.add("other");
    // 1,666 diamonds between `top` and `below`: 2^1666 paths.
    await world.project.write(async (tx) => {
      for (let layer = 0; layer < 1666; layer += 1) {
        const from = layer === 0 ? top.id : `t${layer}`;
        const to = layer === 1665 ? below.id : `t${layer + 1}`;
        for (const [todo, needed] of [
          [from, `l${layer}`],
          [from, `r${layer}`],
          [`l${layer}`, to],
          [`r${layer}`, to],
        ]) {
          await tx.run("INSERT INTO todo_dependencies VALUES (?, ?, ?)", GOAL, todo ?? "", needed ?? "");
        }
      }
    });
    expect(await refusalOf(edit(world, id, { addDependsOn: [top.id] }))).toBe("accepted");
    expect(await edit(world, below.id, { addDependsOn: [top.id] })).toMatchObject({
      code: "dependency_cycle",
      details: { cycle_length: 3334 },
    });
  });

  test("what an owner blocked, an agent does not free; what the agent blocked, it does", async () => {
    const world = await openWorld();
    const { id } = await world.add("work");
    accepted(await edit(world, id, { status: "blocked", reason: "wait for legal" }, owner));
    expect((await world.todo(id)).held_by).toBe("owner:terminal");
    expect(await refusalOf(edit(world, id, { status: "open" }))).toBe("gate_needs_owner");
    accepted(await edit(world, id, { status: "open" }, owner));
    accepted(await edit(world, id, { status: "blocked", reason: "the API is down" }));
    expect(accepted(await edit(world, id, { status: "open" })).todo).toMatchObject({ status: "open", held_by: null });
  });

  test("only an owner lets a todo go on without the person it waits for", async () => {
    const world = await openWorld();
    const call = await world.add("call the bank", { role: "user", task_class: "user_action" });
    const { id } = await world.add("work", { depends_on: [call.id] });
    expect(await refusalOf(edit(world, id, { removeDependsOn: [call.id] }))).toBe("gate_needs_owner");
    expect(accepted(await edit(world, id, { removeDependsOn: [call.id] }, owner)).todo.depends_on).toEqual([]);
  });

  test("credentials are refused in notes and reasons too", async () => {
    const world = await openWorld();
    const { id } = await world.add("work");
    const secret = "AKIAIOSFODNN7EXAMPLQ and ghp_16C7e42F292c6912E7710c838347Ae178B4a";
    expect(await refusalOf(edit(world, id, { note: secret }))).toBe("credential_refused");
    expect(await refusalOf(edit(world, id, { status: "blocked", reason: secret }))).toBe("credential_refused");
  });
});
