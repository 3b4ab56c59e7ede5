import { describe, expect, test } from "vitest";
import { archiveTodos, editGoal, newGate, type Caller } from "../../src/index.ts";
import {
  a1,
  accepted,
  GOAL,
  HOUR_MS,
  MINUTE_MS,
  openWorld,
  owner,
  unnamedProcess,
  refusalOf,
  type World,
} from "../control-plane-world.ts";
import { contentOf } from "../store-content.ts";

const gateOn = (world: World, blocks: readonly string[], text = "may I?") =>
  world.add(text, { role: "user", task_class: "user_gate", gate: newGate("decision", blocks) });

describe("who decides a gate", () => {
  test("no agent, the blocked one least of all, and no process without an owner", async () => {
    const world = await openWorld();
    const { id } = await gateOn(world, ["agent:a1"]);
    const before = await contentOf(world.project);
    for (const caller of [a1, { actor: { kind: "agent", agent_id: "a2" }, threadId: null } as Caller, unnamedProcess]) {
      for (const verdict of ["approve", "reject", "defer"] as const) {
        expect(await refusalOf(world.decide(id, verdict, { caller }))).toBe("gate_needs_owner");
      }
    }
    expect(await contentOf(world.project)).toEqual(before);
  });

  for (const via of ["terminal", "token", "workstation"] as const) {
    test(`an owner by ${via}, and the event records which`, async () => {
      const world = await openWorld();
      const { id } = await gateOn(world, ["goal"]);
      const actor = { kind: "owner" as const, via, ...(via === "token" ? { token_id: "token_000001" } : {}) };
      const { gate } = accepted(await world.decide(id, "approve", { caller: { actor, threadId: null } }));
      expect(gate.gate).toMatchObject({ decided_by: `owner:${via}`, decided_at: "2026-03-01T12:00:00.000Z" });
      const content = await contentOf(world.project);
      const last = content["events"]?.at(-1);
      expect([last?.["type"], JSON.parse(String(last?.["actor"]))]).toEqual(["gate_decided.v1", actor]);
    });
  }

  test("an unknown gate, a todo that is none and a gate that is closed are no gate", async () => {
    const world = await openWorld();
    const { id } = await world.add("work");
    expect(await refusalOf(world.decide("todo_999999", "approve"))).toBe("unknown_gate");
    expect(await refusalOf(world.decide(id, "approve"))).toBe("unknown_gate");
  });
});

describe("a verdict on what was seen", () => {
  test("is refused where somebody decided after that, and says who decided what", async () => {
    const world = await openWorld();
    const { id } = await gateOn(world, ["goal"]);
    const seen = (await contentOf(world.project))["events"]?.length ?? 0;
    accepted(await world.decide(id, "reject", { expectSeq: seen }));
    const before = await contentOf(world.project);
    const refused = await world.decide(id, "approve", { expectSeq: seen });
    expect(refused).toMatchObject({
      ok: false,
      code: "gate_already_decided",
      details: { decision: "rejected", by: "owner:terminal", seq: seen + 1 },
    });
    expect(await contentOf(world.project)).toEqual(before);
    accepted(await world.decide(id, "approve", { expectSeq: seen + 1 }));
  });

  test("stands where only other todos changed", async () => {
    const world = await openWorld();
    const { id } = await gateOn(world, ["goal"]);
    const seen = (await contentOf(world.project))["events"]?.length ?? 0;
    await world.add("something else");
    accepted(await world.decide(id, "approve", { expectSeq: seen }));
  });
});

describe("a proposed objective", () => {
  test("is approved for the revision it was proposed for, and for no later one", async () => {
    const world = await openWorld();
    const edit = (objective: string, caller: Caller): ReturnType<typeof editGoal> =>
      editGoal(world.project, { goalId: GOAL, caller, reason: null, objective, expectRevision: null }, world.ambient);
    const proposed = accepted(await edit("the agent's", a1));
    accepted(await edit("the owner's", owner));
    const gates = (await contentOf(world.project))["todos"]?.filter((row) => row["task_class"] === "user_gate");
    const gateId = String(gates?.[0]?.["todo_id"]);
    expect(proposed.ok).toBe(true);
    expect(await refusalOf(world.decide(gateId, "approve"))).toBe("goal_revision_conflict");
    expect((await world.goal()).objective).toBe("the owner's");
    accepted(await world.decide(gateId, "reject"));
  });
});

describe("a rejection", () => {
  test("taken back, puts off again what was put off", async () => {
    const world = await openWorld();
    const { id } = await world.add("work", { resume: "manual" });
    await world.add("stays");
    const gate = await gateOn(world, [id]);
    accepted(await world.decide(gate.id, "reject"));
    expect(await world.todo(id)).toMatchObject({ status: "blocked", held_by: "owner:terminal" });
    accepted(await world.decide(gate.id, "approve"));
    expect(await world.todo(id)).toMatchObject({ status: "deferred", resume: "manual" });
  });
});

describe("a verdict", () => {
  test("approve: what the gate held runs; again is already so", async () => {
    const world = await openWorld();
    const { id } = await world.add("work");
    const gate = await gateOn(world, [id]);
    expect((await world.next("a1")).decision).toEqual({ kind: "ask_user", reason: "gate", todoIds: [gate.id] });
    accepted(await world.decide(gate.id, "approve"));
    const before = await contentOf(world.project);
    expect(accepted(await world.decide(gate.id, "approve")).changed).toBe(false);
    expect(await contentOf(world.project)).toEqual(before);
    expect((await world.run("a1")).todoId).toBe(id);
  });

  test("a gate on one todo leaves the others runnable", async () => {
    const world = await openWorld();
    const held = await world.add("held", { priority: 0 });
    const free = await world.add("free", { priority: 2 });
    await gateOn(world, [held.id]);
    expect((await world.run("a1")).todoId).toBe(free.id);
  });

  test("a gate on an agent holds that agent only", async () => {
    const world = await openWorld();
    await world.add("work");
    await gateOn(world, ["agent:a1"]);
    expect((await world.next("a1")).decision.kind).toBe("ask_user");
    expect((await world.next("a2")).decision.kind).toBe("run");
  });

  test("reject: the todo is blocked, its claim gone; approving after all frees exactly what was blocked so", async () => {
    const world = await openWorld();
    const held = await world.add("held", { claimedBy: "a1" });
    const gate = await gateOn(world, [held.id]);
    const rejected = accepted(await world.decide(gate.id, "reject", { reason: "too risky" }));
    expect(rejected.affectedTodoIds).toEqual([held.id]);
    expect(rejected.gate).toMatchObject({ status: "blocked", reason: "too risky" });
    expect(await world.todo(held.id)).toMatchObject({
      status: "blocked",
      reason: `gate ${gate.id} was rejected`,
      claimed_by: null,
      claim_epoch: 2,
    });
    expect((await world.next("a1")).decision.kind).toBe("ask_user");
    const approved = accepted(await world.decide(gate.id, "approve"));
    expect([approved.affectedTodoIds, (await world.todo(held.id)).status]).toEqual([[held.id], "open"]);
    expect((await world.run("a1")).todoId).toBe(held.id);
  });

  test("approving frees nothing that is blocked for another reason", async () => {
    const world = await openWorld();
    await world.add("work");
    const { turnId, todoId } = await world.run("a1");
    accepted(await world.show("a1", turnId, { outcome: "blocked", text: "no access" }));
    const gate = await gateOn(world, [todoId]);
    expect(accepted(await world.decide(gate.id, "approve")).affectedTodoIds).toEqual([]);
    expect((await world.todo(todoId)).status).toBe("blocked");
  });

  test("a rejected gate on the goal or on the agent is told as that, never planned around", async () => {
    const world = await openWorld();
    const goal = await gateOn(world, ["goal"], "go on at all?");
    accepted(await world.decide(goal.id, "reject"));
    expect((await world.next("a1")).decision).toEqual({
      kind: "ask_user",
      reason: "gate_rejected",
      todoIds: [goal.id],
    });
    accepted(await world.decide(goal.id, "approve"));
    const agent = await gateOn(world, ["agent:a1"], "go on with a1?");
    accepted(await world.decide(agent.id, "reject"));
    expect((await world.next("a1")).decision).toEqual({
      kind: "ask_user",
      reason: "gate_rejected",
      todoIds: [agent.id],
    });
    expect((await world.next("a2")).decision.kind).toBe("replan");
  });

  test("defer: waits until it is asked again, then asks", async () => {
    const world = await openWorld();
    const { id } = await world.add("work");
    const gate = await gateOn(world, [id]);
    const askAgainAt = world.ambient.advance(HOUR_MS);
    world.ambient.advance(-HOUR_MS);
    accepted(await world.decide(gate.id, "defer", { askAgainAt }));
    expect((await world.next("a1")).decision).toEqual({ kind: "wait", reason: "gate_deferred", until: askAgainAt });
    world.ambient.advance(HOUR_MS);
    expect((await world.next("a1")).decision).toEqual({ kind: "ask_user", reason: "gate", todoIds: [gate.id] });
    accepted(await world.decide(gate.id, "defer"));
    world.ambient.advance(100 * HOUR_MS);
    expect((await world.next("a1")).decision).toEqual({ kind: "wait", reason: "gate_deferred", until: null });
  });

  test("a gate that was put off and holds only others' work is nothing to wait for", async () => {
    const world = await openWorld();
    const gate = await gateOn(world, ["agent:a2"]);
    const askAgainAt = world.ambient.now();
    accepted(await world.decide(gate.id, "defer", { askAgainAt }));
    expect((await world.next("a1")).decision.kind).toBe("replan");
    expect((await world.next("a2")).decision.kind).toBe("ask_user");
  });

  test("an owner may take an approval back, also of a gate that was archived meanwhile", async () => {
    const world = await openWorld();
    const { id, gate } = await world.add("push to production", { action_kind: "production" });
    const gateId = gate?.todo_id ?? "";
    accepted(await world.decide(gateId, "approve"));
    await archiveTodos(world.project, { goalId: GOAL, caller: owner, todoIds: null }, world.ambient);
    const { turnId } = await world.run("a1");
    accepted(await world.decide(gateId, "reject"));
    expect(await world.todo(gateId)).toMatchObject({ status: "blocked", archived_at: null, completed_at: null });
    expect((await world.next("a1")).decision.kind).toBe("ask_user");
    expect(await refusalOf(world.complete(id, { turnId }))).toBe("todo_not_open");
  });

  test("a credential in the reason is refused", async () => {
    const world = await openWorld();
    const gate = await gateOn(world, ["goal"]);
    const reason = "ghp_16C7e42F292c6912E7710c838347Ae178B4a";
    expect(await refusalOf(world.decide(gate.id, "reject", { reason }))).toBe("credential_refused");
  });
});

const propose = async (world: World, objective: string): Promise<string> => {
  const request = { goalId: GOAL, caller: a1, reason: null, objective, expectRevision: null };
  const { gate, changed } = accepted(await editGoal(world.project, request, world.ambient));
  expect(changed).toBe(false);
  return gate?.todo_id ?? "";
};

describe("an agent's edit of the objective", () => {
  test("waits for its gate, and is in force with a new revision in the same commit as the approval", async () => {
    const world = await openWorld();
    await world.add("work");
    const gateId = await propose(world, "make it fast");
    expect(await world.goal()).toMatchObject({ objective: "make it work", revision: 1 });
    expect((await world.next("a1")).decision.kind).toBe("run");
    world.ambient.advance(MINUTE_MS);
    const { goal } = accepted(await world.decide(gateId, "approve"));
    expect(goal).toMatchObject({ objective: "make it fast", revision: 2 });
    expect(await world.goal()).toEqual(goal);
    expect((await world.eventTypes()).slice(-2)).toEqual(["gate_decided.v1", "goal_edited.v1"]);
    expect(await refusalOf(world.decide(gateId, "reject"))).toBe("gate_already_decided");
  });

  test("rejected, it changes nothing and holds nothing", async () => {
    const world = await openWorld();
    const { id } = await world.add("work");
    const gateId = await propose(world, "make it fast");
    accepted(await world.decide(gateId, "reject"));
    expect(await world.goal()).toMatchObject({ objective: "make it work", revision: 1 });
    expect((await world.todo(gateId)).status).toBe("done");
    expect(accepted(await world.complete(id)).completedGoal?.status).toBe("completed");
  });
});
