import { describe, expect, test } from "vitest";
import { CONTEXT_NOT_FETCHED, peekNextTurn } from "../../src/index.ts";
import { accepted, GOAL, openWorld, TTL_MS, type World } from "../control-plane-world.ts";
import { contentOf } from "../store-content.ts";

const request = { goalId: GOAL, agentId: "a1", turnId: null, threadId: null, leaseTtlMs: TTL_MS };

async function peek(world: World): ReturnType<typeof peekNextTurn> {
  return peekNextTurn(world.project, request, world.ambient.now());
}

describe("a turn that needs facts", () => {
  test("is opened with usable ones, and by none that are missing, blocked or about another todo", async () => {
    const world = await openWorld();
    const { id } = await world.add("work");
    const before = await contentOf(world.project);
    for (const [context, kind] of [
      [CONTEXT_NOT_FETCHED, "wait"],
      [{ todoId: id, state: "blocked" }, "wait"],
      [{ todoId: id, state: "blocked_for_owner" }, "ask_user"],
      [{ todoId: "todo_999999", state: "usable" }, "wait"],
    ] as const) {
      const { decision, turn, asked } = await world.next("a1", { context });
      expect([decision.kind, turn, asked]).toEqual([kind, null, []]);
    }
    expect(await contentOf(world.project)).toEqual(before);
    expect((await world.next("a1", { context: { todoId: id, state: "usable" } })).decision.kind).toBe("run");
  });

  test("is foreseen without being opened", async () => {
    const world = await openWorld();
    const { id } = await world.add("work");
    const before = await contentOf(world.project);
    const peeked = accepted(await peek(world));
    expect([peeked.decision.kind, peeked.todo?.todo_id]).toEqual(["run", id]);
    expect(await contentOf(world.project)).toEqual(before);
    expect(await peekNextTurn(world.project, { ...request, agentId: "a9" }, world.ambient.now())).toMatchObject({
      ok: false,
      code: "unknown_agent",
    });
  });

  test("that was open already is kept while its facts are waited for", async () => {
    const world = await openWorld();
    await world.add("work");
    const { turnId, todoId } = await world.run("a1");
    const context = { todoId: null, state: "blocked" } as const;
    for (const _ of [1, 2, 3, 4]) {
      world.ambient.advance(TTL_MS * 0.75);
      const { decision, turn } = await world.next("a1", { context });
      expect([decision.kind, turn?.turn_id]).toEqual(["wait", turnId]);
    }
    const { decision } = await world.next("a1", { context: { todoId, state: "usable" } });
    expect(decision).toMatchObject({ kind: "run", turn: "resume" });
  });
});
