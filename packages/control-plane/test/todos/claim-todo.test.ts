import { describe, expect, test } from "vitest";
import { claimTodo, releaseTodo } from "../../src/index.ts";
import {
  a1,
  accepted,
  callerOf,
  GOAL,
  HOUR_MS,
  MINUTE_MS,
  openSecond,
  openWorld,
  owner,
  unnamedProcess,
  refusalOf,
  TTL_MS,
  type World,
} from "../control-plane-world.ts";
import { contentOf } from "../store-content.ts";

const claim = (world: World, todoId: string, agentId: string, ttl = TTL_MS): ReturnType<typeof claimTodo> =>
  claimTodo(
    world.project,
    { goalId: GOAL, todoId, caller: callerOf(agentId), agentId, leaseTtlMs: ttl },
    world.ambient,
  );
const release = (world: World, todoId: string, caller = a1): ReturnType<typeof releaseTodo> =>
  releaseTodo(world.project, { goalId: GOAL, todoId, caller }, world.ambient);

describe("claimTodo", () => {
  test("twenty claims at once have one winner", async () => {
    const world = await openWorld();
    const { id } = await world.add("work");
    const second = await openSecond(world);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        refusalOf(claim(index % 2 === 0 ? world : second, id, index % 2 === 0 ? "a1" : "a2")),
      ),
    );
    const { claimed_by: winner, claim_epoch: epoch } = await world.todo(id);
    expect(epoch).toBe(1);
    const winners = answers.filter((answer) => answer === "accepted").length;
    expect([winners, answers.filter((answer) => answer === "todo_claimed_by_other").length]).toEqual([10, 10]);
    expect(["a1", "a2"]).toContain(winner);
  });

  test("claiming what one holds extends the lease and keeps the epoch", async () => {
    const world = await openWorld();
    const { id } = await world.add("work");
    expect(accepted(await claim(world, id, "a1")).changed).toBe(true);
    world.ambient.advance(10 * MINUTE_MS);
    const again = accepted(await claim(world, id, "a1"));
    expect([again.changed, again.todo.claim_epoch, again.todo.claim_expires_at]).toEqual([
      false,
      1,
      "2026-03-01T12:55:00.000Z",
    ]);
  });

  test("a claim further ahead than any lease was written by a clock that went back: it holds nobody off", async () => {
    const world = await openWorld();
    const { id } = await world.add("work");
    world.ambient.advance(100 * 24 * HOUR_MS);
    accepted(await claim(world, id, "a2"));
    world.ambient.advance(-100 * 24 * HOUR_MS);
    expect((await world.run("a1")).todoId).toBe(id);
  });

  test("a lease that has ended is anybody's: the moment of its end is past it, and the epoch grows", async () => {
    const world = await openWorld();
    const { id } = await world.add("work");
    await claim(world, id, "a1");
    world.ambient.advance(TTL_MS - 1);
    expect(await refusalOf(claim(world, id, "a2"))).toBe("todo_claimed_by_other");
    world.ambient.advance(1);
    const { todo } = accepted(await claim(world, id, "a2"));
    expect([todo.claimed_by, todo.claim_epoch]).toEqual(["a2", 2]);
    expect(await refusalOf(claim(world, id, "a1"))).toBe("todo_claimed_by_other");
  });

  test("one's own lease that has ended is a new claim", async () => {
    const world = await openWorld();
    const { id } = await world.add("work");
    await claim(world, id, "a1");
    world.ambient.advance(TTL_MS);
    const { changed, todo } = accepted(await claim(world, id, "a1"));
    expect([changed, todo.claim_epoch]).toEqual([true, 2]);
  });

  test("nobody claims a person's todo, a finished one, or for a lane that is not registered", async () => {
    const world = await openWorld();
    const person = await world.add("call the bank", { role: "user", task_class: "user_action" });
    const done = await world.add("done");
    const open = await world.add("open");
    await world.complete(done.id);
    const before = await contentOf(world.project);
    expect(await refusalOf(claim(world, person.id, "a1"))).toBe("todo_not_runnable");
    expect(await refusalOf(claim(world, done.id, "a1"))).toBe("todo_not_open");
    expect(await refusalOf(claim(world, "todo_999999", "a1"))).toBe("unknown_todo");
    const request = { goalId: GOAL, todoId: open.id, caller: owner, agentId: "a9", leaseTtlMs: TTL_MS };
    expect(await refusalOf(claimTodo(world.project, request, world.ambient))).toBe("unknown_agent");
    expect(await contentOf(world.project)).toEqual(before);
  });
});

describe("releaseTodo", () => {
  test("gives the claim back under a new epoch, once", async () => {
    const world = await openWorld();
    const { id } = await world.add("work");
    await claim(world, id, "a1");
    const { todo } = accepted(await release(world, id));
    expect([todo.claimed_by, todo.claim_expires_at, todo.claim_epoch]).toEqual([null, null, 2]);
    const before = await contentOf(world.project);
    expect(accepted(await release(world, id)).changed).toBe(false);
    expect(await contentOf(world.project)).toEqual(before);
  });

  test("only the holder or an owner gives a live claim back", async () => {
    const world = await openWorld();
    const { id } = await world.add("work");
    await claim(world, id, "a2");
    expect(await refusalOf(release(world, id, a1))).toBe("todo_claimed_by_other");
    expect(await refusalOf(release(world, id, unnamedProcess))).toBe("missing_flag");
    expect(accepted(await release(world, id, owner)).todo.claimed_by).toBeNull();
  });

  test("what the earlier holder's turn writes afterwards is refused", async () => {
    const world = await openWorld();
    await world.add("work");
    const { turnId, todoId } = await world.run("a1");
    await release(world, todoId, owner);
    expect(await refusalOf(world.show("a1", turnId))).toBe("lease_lost");
    expect(await refusalOf(world.complete(todoId, { turnId }))).toBe("lease_lost");
  });
});

test("a claim lasts as long as its lease says", async () => {
  const world = await openWorld();
  const { id } = await world.add("work");
  expect(accepted(await claim(world, id, "a1", 24 * HOUR_MS)).todo.claim_expires_at).toBe("2026-03-02T12:00:00.000Z");
});
