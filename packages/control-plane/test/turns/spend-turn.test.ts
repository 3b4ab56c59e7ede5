import { describe, expect, test } from "vitest";
import { spendTurn } from "../../src/index.ts";
import { a1, a2, accepted, GOAL, MINUTE_MS, openSecond, openWorld, refusalOf, TTL_MS } from "../control-plane-world.ts";
import { contentOf } from "../store-content.ts";

describe("spendTurn", () => {
  test("charges a turn with evidence once", async () => {
    const world = await openWorld();
    await world.add("work");
    const { turnId, todoId } = await world.run("a1");
    expect(await refusalOf(world.spend("a1", turnId))).toBe("evidence_required");
    accepted(await world.show("a1", turnId));
    const first = accepted(await world.spend("a1", turnId));
    expect([first.alreadySpent, first.turn.state, first.settlementIdentity, first.use.total]).toEqual([
      false,
      "settled",
      `${GOAL}:a1:${todoId}:${turnId}`,
      1,
    ]);
    const before = await contentOf(world.project);
    const again = accepted(await world.spend("a1", turnId));
    expect([again.alreadySpent, again.use.total]).toEqual([true, 1]);
    expect(await contentOf(world.project)).toEqual(before);
    expect(await refusalOf(world.show("a2", turnId))).toBe("turn_not_held");
  });

  test("twenty charges of one turn at once charge once", async () => {
    const world = await openWorld();
    await world.add("work");
    const { turnId } = await world.run("a1");
    accepted(await world.show("a1", turnId));
    const second = await openSecond(world);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? world : second).spend("a1", turnId)),
    );
    expect(answers.filter((answer) => answer.ok && !answer.alreadySpent)).toHaveLength(1);
    expect((await world.eventTypes()).filter((type) => type === "turn_settled.v1")).toHaveLength(1);
  });

  test("is refused for another's turn, another todo and an unknown turn", async () => {
    const world = await openWorld();
    await world.add("work");
    const { turnId, todoId } = await world.run("a1");
    accepted(await world.show("a1", turnId));
    const spend = (more: object): Promise<string> => {
      const request = { goalId: GOAL, caller: a1, agentId: "a1", turnId, todoId: null, ...more };
      return refusalOf(spendTurn(world.project, request, world.ambient));
    };
    expect(await spend({ agentId: "a2", caller: a2 })).toBe("turn_not_held");
    expect(await spend({ caller: a2 })).toBe("turn_not_held");
    expect(await spend({ todoId: "todo_999999" })).toBe("invalid_value");
    expect(await spend({ turnId: "turn_999999" })).toBe("unknown_turn");
    expect(await spend({ goalId: "other-goal" })).toBe("unknown_goal");
    expect(await spend({ todoId })).toBe("accepted");
  });

  test("the charge of a finished goal's last turn still goes through", async () => {
    const world = await openWorld();
    await world.add("work");
    const { turnId, todoId } = await world.run("a1");
    accepted(await world.complete(todoId, { turnId }));
    expect((await world.goal()).status).toBe("completed");
    expect((await world.next("a1")).decision.kind).toBe("done");
    accepted(await world.spend("a1", turnId));
  });

  test("a monitor that stays open is due again one cadence after the charge", async () => {
    const world = await openWorld();
    const { id } = await world.add("watch the build", { task_class: "monitor", cadence_ms: 15 * MINUTE_MS });
    const first = await world.next("a1");
    expect(first.decision).toMatchObject({ kind: "run", todoId: id, selectedBy: "monitor_due" });
    const turnId = first.turn?.turn_id ?? "";
    world.ambient.advance(MINUTE_MS);
    accepted(await world.show("a1", turnId, { outcome: "no_change" }));
    accepted(await world.spend("a1", turnId));
    expect(await world.todo(id)).toMatchObject({
      due_at: "2026-03-01T12:16:00.000Z",
      claimed_by: null,
      status: "open",
    });
    expect((await world.next("a1")).decision).toEqual({
      kind: "wait",
      reason: "monitor_not_due",
      until: "2026-03-01T12:16:00.000Z",
    });
    world.ambient.advance(15 * MINUTE_MS);
    expect((await world.run("a1")).todoId).toBe(id);
  });

  test("a late charge leaves the monitor to the agent that has it by now", async () => {
    const world = await openWorld();
    const { id } = await world.add("watch the build", { task_class: "monitor", cadence_ms: 15 * MINUTE_MS });
    const late = await world.run("a1");
    accepted(await world.show("a1", late.turnId, { outcome: "no_change" }));
    world.ambient.advance(TTL_MS);
    const current = await world.run("a2");
    accepted(await world.spend("a1", late.turnId));
    expect(await world.todo(id)).toMatchObject({ claimed_by: "a2", due_at: null });
    accepted(await world.show("a2", current.turnId, { outcome: "no_change" }));
    accepted(await world.spend("a2", current.turnId));
    expect((await world.todo(id)).due_at).toBe("2026-03-01T13:00:00.000Z");
  });
});
