import { describe, expect, test } from "vitest";
import {
  claimTodo,
  completeGoal,
  editGoal,
  pauseGoal,
  resumeGoal,
  setGoalBudget,
  type GoalBudget,
} from "../../src/index.ts";
import {
  a1,
  a2,
  accepted,
  callerOf,
  GOAL,
  HOUR_MS,
  MINUTE_MS,
  openSecond,
  openWorld,
  owner,
  refusalOf,
  TTL_MS,
  type World,
} from "../control-plane-world.ts";
import { contentOf, rowsOf } from "../store-content.ts";

const limit = (world: World, budget: Partial<GoalBudget>, caller = owner): ReturnType<typeof setGoalBudget> => {
  const whole = { totalTurns: null, windowTurns: null, windowMs: null, ...budget };
  return setGoalBudget(world.project, { goalId: GOAL, caller, reason: null, budget: whole }, world.ambient);
};

/** One turn from `run` to its charge. */
async function settle(world: World, agentId: string): Promise<void> {
  const { turnId } = await world.run(agentId);
  accepted(await world.show(agentId, turnId));
  accepted(await world.spend(agentId, turnId));
}

describe("the budget of a goal", () => {
  test("nobody set one: no turn is ever refused for it", async () => {
    const world = await openWorld();
    await world.add("work");
    for (let count = 0; count < 10; count += 1) await settle(world, "a1");
    expect((await world.next("a1")).decision.kind).toBe("run");
  });

  test("an open turn is reserved: the last one is given once, to whichever agent", async () => {
    const world = await openWorld();
    await world.add("one");
    await world.add("two");
    await limit(world, { totalTurns: 1 });
    const second = await openSecond(world);
    const answers = await Promise.all([world.next("a1"), second.next("a2")]);
    expect(answers.map(({ decision }) => decision.kind).toSorted()).toEqual(["run", "throttled"]);
  });

  test("exhausted is throttled; raised, the same goal goes on", async () => {
    const world = await openWorld();
    await world.add("work");
    await limit(world, { totalTurns: 2 });
    await settle(world, "a1");
    await settle(world, "a1");
    expect((await world.next("a1")).decision).toEqual({ kind: "throttled", reason: "budget_total", until: null });
    expect(await refusalOf(limit(world, { totalTurns: 3 }, a1))).toBe("gate_needs_owner");
    accepted(await limit(world, { totalTurns: 3 }));
    expect((await world.next("a1")).decision.kind).toBe("run");
    expect(await refusalOf(limit(world, { totalTurns: 2 }))).toBe("budget_below_spent");
  });

  test("a limit of 0 means none at all", async () => {
    const world = await openWorld();
    await world.add("work");
    await limit(world, { totalTurns: 0 });
    expect((await world.next("a1")).decision.kind).toBe("throttled");
    await limit(world, { windowTurns: 0, windowMs: HOUR_MS });
    expect((await world.next("a1")).decision).toEqual({ kind: "throttled", reason: "budget_window", until: null });
  });

  for (const [name, of] of Object.entries({
    total: (turns: number) => ({ totalTurns: turns }),
    window: (turns: number) => ({ windowTurns: turns, windowMs: 24 * HOUR_MS }),
  })) {
    test(`a released turn gives its reservation back to the ${name}`, async () => {
      const world = await openWorld();
      await world.add("work");
      await limit(world, of(1));
      await world.run("a1");
      world.ambient.advance(TTL_MS);
      await settle(world, "a1");
      expect((await world.next("a1")).decision.kind).toBe("throttled");
      await limit(world, of(2));
      await settle(world, "a1");
      expect((await world.next("a1")).decision.kind).toBe("throttled");
    });
  }

  test("setting what is set already is already so and writes nothing", async () => {
    const world = await openWorld();
    await limit(world, { totalTurns: 3 });
    const before = await contentOf(world.project);
    world.ambient.advance(HOUR_MS);
    expect(accepted(await limit(world, { totalTurns: 3 }, a1)).changed).toBe(false);
    expect(await contentOf(world.project)).toEqual(before);
  });

  test("a window frees one turn when its oldest turn is a window old, and says when", async () => {
    const world = await openWorld();
    await world.add("work");
    await limit(world, { windowTurns: 2, windowMs: HOUR_MS });
    await settle(world, "a1");
    world.ambient.advance(10 * MINUTE_MS);
    await settle(world, "a1");
    const throttled = { kind: "throttled", reason: "budget_window", until: "2026-03-01T13:00:00.000Z" };
    expect((await world.next("a1")).decision).toEqual(throttled);
    world.ambient.advance(50 * MINUTE_MS - 1);
    expect((await world.next("a1")).decision).toEqual(throttled);
    world.ambient.advance(1);
    await settle(world, "a1");
    expect((await world.next("a1")).decision).toEqual({ ...throttled, until: "2026-03-01T13:10:00.000Z" });
  });

  test("releasing a turn older than the window frees nothing in it", async () => {
    const world = await openWorld();
    await world.add("one");
    await world.add("two");
    await limit(world, { windowTurns: 1, windowMs: HOUR_MS });
    await world.run("a1", { leaseTtlMs: 2 * HOUR_MS });
    world.ambient.advance(90 * MINUTE_MS);
    await world.run("a2", { leaseTtlMs: 2 * HOUR_MS });
    world.ambient.advance(30 * MINUTE_MS);
    const { decision, releasedTurnId } = await world.next("a1");
    expect([decision.kind, releasedTurnId]).toEqual(["throttled", "turn_000003"]);
  });

  test("anybody tightens, only an owner loosens, nothing inert is accepted", async () => {
    const world = await openWorld();
    const set = (budget: Partial<GoalBudget>, caller = a1): Promise<string> => refusalOf(limit(world, budget, caller));
    expect(await set({ totalTurns: 10 })).toBe("accepted");
    expect(await set({ totalTurns: 5, windowTurns: 4, windowMs: HOUR_MS })).toBe("accepted");
    expect(await set({ totalTurns: 5, windowTurns: 3, windowMs: 2 * HOUR_MS })).toBe("accepted");
    for (const looser of [
      { totalTurns: 6, windowTurns: 3, windowMs: 2 * HOUR_MS },
      { totalTurns: null, windowTurns: 3, windowMs: 2 * HOUR_MS },
      { totalTurns: 5, windowTurns: 4, windowMs: 2 * HOUR_MS },
      { totalTurns: 5, windowTurns: 3, windowMs: HOUR_MS },
      { totalTurns: 5 },
    ]) {
      expect(await set(looser)).toBe("gate_needs_owner");
    }
    for (const wrong of [
      { totalTurns: -1 },
      { totalTurns: 1.5 },
      { windowTurns: 3 },
      { windowMs: HOUR_MS },
      { windowTurns: 3, windowMs: 0 },
    ]) {
      expect([wrong, await set(wrong, owner)]).toEqual([wrong, "invalid_value"]);
    }
    expect(await set({}, owner)).toBe("accepted");
    expect(await world.goal()).toMatchObject({
      budget_total_turns: null,
      budget_window_turns: null,
      budget_window_ms: null,
    });
  });
});

describe("a paused goal", () => {
  test("answers a thousand polls the same, spends nothing and writes nothing", async () => {
    const world = await openWorld();
    await world.add("work");
    const { turnId } = await world.run("a1");
    await pauseGoal(world.project, { goalId: GOAL, caller: a1, reason: "let me look" }, world.ambient);
    const before = await contentOf(world.project);
    for (let poll = 0; poll < 1000; poll += 1) {
      world.ambient.advance(MINUTE_MS);
      const { decision } = await world.next(poll % 2 === 0 ? "a1" : "a2");
      expect(decision).toEqual({ kind: "paused" });
    }
    expect(await contentOf(world.project)).toEqual(before);
    expect(before["turns"]?.map((row) => [row["turn_id"], row["state"]])).toEqual([[turnId, "open"]]);
  });

  test("goes on, once an owner resumes it, with the objective as it is by then", async () => {
    const world = await openWorld();
    const { id } = await world.add("work");
    const request = { goalId: GOAL, caller: owner, reason: null };
    await pauseGoal(world.project, request, world.ambient);
    accepted(
      await editGoal(world.project, { ...request, objective: "make it fast", expectRevision: 1 }, world.ambient),
    );
    expect((await world.next("a1")).decision.kind).toBe("paused");
    expect(await refusalOf(resumeGoal(world.project, { ...request, caller: a1 }, world.ambient))).toBe(
      "gate_needs_owner",
    );
    accepted(await resumeGoal(world.project, request, world.ambient));
    const { decision, goal, todo } = await world.next("a1");
    expect([decision.kind, todo?.todo_id, goal.objective, goal.revision]).toEqual(["run", id, "make it fast", 2]);
  });

  test("a turn from before the pause can still be shown and charged", async () => {
    const world = await openWorld();
    await world.add("work");
    const { turnId } = await world.run("a1");
    await pauseGoal(world.project, { goalId: GOAL, caller: a1, reason: null }, world.ambient);
    accepted(await world.show("a1", turnId));
    accepted(await world.spend("a1", turnId));
    expect((await rowsOf(world.project, "turns")).map((row) => row["state"])).toEqual(["settled"]);
  });
});

const pause = async (world: World): Promise<void> => {
  accepted(await pauseGoal(world.project, { goalId: GOAL, caller: a2, reason: "let me look" }, world.ambient));
};
const claim = (world: World, todoId: string, agentId: "a1" | "a2"): ReturnType<typeof claimTodo> =>
  claimTodo(
    world.project,
    { goalId: GOAL, todoId, caller: callerOf(agentId), agentId, leaseTtlMs: TTL_MS },
    world.ambient,
  );

describe("while a goal is paused", () => {
  test("nothing new is claimed; a claim that is held lasts on", async () => {
    const world = await openWorld();
    const held = await world.add("held", { claimedBy: "a1" });
    const free = await world.add("free");
    await pause(world);
    const before = await contentOf(world.project);
    expect(await refusalOf(claim(world, free.id, "a1"))).toBe("goal_not_active");
    await expect(world.add("new", { claimedBy: "a1" })).rejects.toThrow("goal_not_active");
    expect(await contentOf(world.project)).toEqual(before);
    accepted(await claim(world, held.id, "a1"));
    accepted(await resumeGoal(world.project, { goalId: GOAL, caller: owner, reason: null }, world.ambient));
    accepted(await claim(world, free.id, "a2"));
  });

  test("an agent completes the todo of its own turn and no other; the goal stays paused and goes on after", async () => {
    const world = await openWorld();
    const { id } = await world.add("work");
    const { turnId } = await world.run("a1");
    const other = await world.add("claimed without a turn", { claimedBy: "a2" });
    await pause(world);
    expect(await refusalOf(world.complete(other.id, { caller: a2 }))).toBe("goal_not_active");
    accepted(await world.complete(other.id, { caller: owner, followUp: { kind: "open_ended" } }));
    const completed = accepted(await world.complete(id));
    expect([completed.todo.status, completed.completedGoal]).toEqual(["done", null]);
    expect((await world.goal()).status).toBe("paused");
    accepted(await world.spend("a1", turnId));
    accepted(await resumeGoal(world.project, { goalId: GOAL, caller: owner, reason: null }, world.ambient));
    expect((await world.next("a1")).decision.kind).toBe("replan");
  });

  test("no agent completes the goal; an owner may, also by its last todo", async () => {
    const world = await openWorld();
    const request = { goalId: GOAL, caller: a1, reason: null };
    await pause(world);
    expect(await refusalOf(completeGoal(world.project, request, world.ambient))).toBe("goal_not_active");
    const { id } = await world.add("last");
    accepted(await world.complete(id, { caller: owner }));
    expect((await world.goal()).status).toBe("completed");
  });
});
