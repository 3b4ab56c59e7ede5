import { describe, expect, test } from "vitest";
import { findTurn, newGate } from "../../src/index.ts";
import { accepted, GOAL, openWorld, refusalOf, TTL_MS } from "../control-plane-world.ts";
import { contentOf, rowsOf } from "../store-content.ts";

describe("who holds a turn", () => {
  test("another thread of the same agent waits until the lease ends, then takes over", async () => {
    const world = await openWorld();
    await world.bind("thread-1", "a1");
    await world.bind("thread-2", "a1");
    await world.add("work");
    const first = await world.next("a1", { threadId: "thread-1" });
    expect(first.turn?.holder).toBe("thread-1");
    const before = await contentOf(world.project);
    const other = await world.next("a1", { threadId: "thread-2" });
    expect(other.decision).toEqual({ kind: "wait", reason: "turn_open_elsewhere", until: "2026-03-01T12:45:00.000Z" });
    expect(await contentOf(world.project)).toEqual(before);
    world.ambient.advance(TTL_MS);
    const takeover = await world.next("a1", { threadId: "thread-2" });
    expect([takeover.decision.kind, takeover.releasedTurnId, takeover.turn?.holder]).toEqual([
      "run",
      first.turn?.turn_id,
      "thread-2",
    ]);
    expect(takeover.turn?.claim_epoch).toBe(2);
  });

  test("no label never matches a labelled holder; two without one count as one", async () => {
    const world = await openWorld();
    await world.bind("thread-1", "a1");
    await world.add("work");
    const labelled = await world.next("a1", { threadId: "thread-1" });
    expect((await world.next("a1")).decision).toMatchObject({ kind: "wait", reason: "turn_open_elsewhere" });
    const proven = await world.next("a1", { turnId: labelled.turn?.turn_id ?? null });
    expect(proven.decision).toMatchObject({ kind: "run", turn: "resume" });
    const wrong = await world.next("a1", { turnId: "turn_999999" });
    expect(wrong.decision).toMatchObject({ kind: "wait", reason: "turn_open_elsewhere" });
    await world.add("other work");
    const bare = await world.next("a2");
    expect((await world.next("a2")).turn?.turn_id).toBe(bare.turn?.turn_id);
    await world.bind("thread-3", "a2");
    expect((await world.next("a2", { threadId: "thread-3" })).decision).toMatchObject({ kind: "wait" });
  });
});

describe("the end of a lease", () => {
  test("without evidence the turn is released uncharged and late writes are refused", async () => {
    const world = await openWorld();
    await world.add("work");
    const late = await world.run("a1");
    world.ambient.advance(TTL_MS);
    const next = await world.next("a1");
    expect([next.releasedTurnId, next.turn?.turn_id === late.turnId, next.turn?.claim_epoch]).toEqual([
      late.turnId,
      false,
      2,
    ]);
    expect(await refusalOf(world.show("a1", late.turnId))).toBe("lease_lost");
    expect(await refusalOf(world.spend("a1", late.turnId))).toBe("lease_lost");
    expect(await refusalOf(world.complete(late.todoId, { turnId: late.turnId }))).toBe("lease_lost");
    const turn = await world.project.read((tx) => findTurn(tx, GOAL, late.turnId));
    expect([turn?.state, turn?.closed_at]).toEqual(["released", "2026-03-01T12:45:00.000Z"]);
  });

  test("with evidence the holder goes on, and another lane's turn does not take the charge away", async () => {
    const world = await openWorld();
    await world.add("work");
    const first = await world.run("a1");
    accepted(await world.show("a1", first.turnId));
    world.ambient.advance(TTL_MS);
    expect((await world.next("a1")).decision).toMatchObject({ kind: "run", turn: "resume" });
    world.ambient.advance(TTL_MS);
    const taken = await world.run("a2");
    expect(taken.todoId).toBe(first.todoId);
    expect((await world.next("a1")).decision).toEqual({
      kind: "repair",
      code: "turn_not_settled",
      turnId: first.turnId,
    });
    expect(accepted(await world.spend("a1", first.turnId)).alreadySpent).toBe(false);
  });

  test("with evidence and another thread asking, the turn lapses: settleable, no longer held", async () => {
    const world = await openWorld();
    await world.bind("thread-1", "a1");
    await world.bind("thread-2", "a1");
    await world.add("work");
    const { turnId } = await world.run("a1", { threadId: "thread-1" });
    accepted(await world.show("a1", turnId));
    world.ambient.advance(TTL_MS);
    const next = await world.next("a1", { threadId: "thread-2" });
    expect([next.decision.kind, next.releasedTurnId]).toEqual(["run", null]);
    const lapsed = await world.project.read((tx) => findTurn(tx, GOAL, turnId));
    expect(lapsed?.state).toBe("lapsed");
    accepted(await world.spend("a1", turnId));
    const states = (await rowsOf(world.project, "turns", "opened_at")).map((row) => row["state"]);
    expect(states).toEqual(["settled", "open"]);
  });

  test("a gate that comes up meanwhile takes the turn away without a charge", async () => {
    const world = await openWorld();
    const { id } = await world.add("work");
    const { turnId } = await world.run("a1");
    await world.add("wait!", { role: "user", task_class: "user_gate", gate: newGate("decision", [id]) });
    const next = await world.next("a1");
    expect([next.decision.kind, next.releasedTurnId]).toEqual(["ask_user", turnId]);
    expect(await world.todo(id)).toMatchObject({ claimed_by: "a1", claim_epoch: 1 });
    expect(await refusalOf(world.show("a1", turnId))).toBe("lease_lost");
  });
});
