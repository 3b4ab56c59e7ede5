import { describe, expect, test } from "vitest";
import { askNextTurn, claimTodo, newGate } from "../../src/index.ts";
import { a1, accepted, GOAL, openSecond, openWorld, OWNER, refusalOf, TTL_MS } from "../control-plane-world.ts";
import { contentOf, rowsOf } from "../store-content.ts";

describe("askNextTurn opens a turn", () => {
  test("turn, claim and reservation are one commit, with one lease for both", async () => {
    const world = await openWorld();
    const { id } = await world.add("work");
    const { decision, turn, todo } = await world.next("a1");
    expect(decision).toEqual({ kind: "run", todoId: id, selectedBy: "priority", turn: "open", epoch: 1 });
    expect(turn).toEqual({
      goal_id: GOAL,
      turn_id: "turn_000002",
      agent_id: "a1",
      todo_id: id,
      state: "open",
      holder: null,
      claim_epoch: 1,
      lease_expires_at: "2026-03-01T12:45:00.000Z",
      opened_at: "2026-03-01T12:00:00.000Z",
      closed_at: null,
    });
    expect([todo?.claimed_by, todo?.claim_epoch, todo?.claim_expires_at]).toEqual([
      "a1",
      1,
      "2026-03-01T12:45:00.000Z",
    ]);
    expect(await world.todo(id)).toEqual(todo);
    expect((await world.eventTypes()).slice(-2)).toEqual(["todo_claimed.v1", "turn_opened.v1"]);
  });

  test("asking again resumes the same turn and writes nothing until half the lease is gone", async () => {
    const world = await openWorld();
    await world.add("work");
    const first = await world.next("a1");
    const before = await contentOf(world.project);
    world.ambient.advance(TTL_MS / 2 - 1);
    const second = await world.next("a1");
    expect([second.decision, second.turn]).toEqual([
      { kind: "run", todoId: "todo_000001", selectedBy: "turn_in_progress", turn: "resume", epoch: 1 },
      first.turn,
    ]);
    expect(await contentOf(world.project)).toEqual(before);
    world.ambient.advance(1);
    const third = await world.next("a1");
    expect(third.turn?.lease_expires_at).toBe("2026-03-01T13:07:30.000Z");
    const todo = await world.todo("todo_000001");
    expect(todo.claim_expires_at).toBe("2026-03-01T13:07:30.000Z");
    expect(await rowsOf(world.project, "events")).toEqual(before["events"]);
  });

  test("says whether other work of an agent is left", async () => {
    const world = await openWorld();
    await world.add("work");
    await world.add("an owner's", { role: "user", task_class: "user_action" });
    expect((await world.next("a1")).isLastWork).toBe(true);
    await world.add("more");
    expect((await world.next("a1")).isLastWork).toBe(false);
  });

  test("a replan says whether anything is open, and where planning brought nothing, the owner's part is asked for", async () => {
    const world = await openWorld();
    expect((await world.next("a1")).hasOpenTodos).toBe(false);
    const { id } = await world.add("buy the domain", { role: "user", task_class: "user_action" });
    for (let plan = 1; plan <= 2; plan += 1) {
      const { decision, turn, hasOpenTodos } = await world.next("a1");
      expect([decision.kind, hasOpenTodos]).toEqual(["replan", true]);
      accepted(await world.show("a1", turn?.turn_id ?? "", { outcome: "no_change" }));
      accepted(await world.spend("a1", turn?.turn_id ?? ""));
    }
    const { decision, asked } = await world.next("a1");
    expect(decision).toEqual({ kind: "ask_user", reason: "replan_exhausted", todoIds: [] });
    expect(asked.map((todo) => todo.todo_id)).toEqual([id]);
  });

  test("twenty callers at once with one identity get one turn", async () => {
    const world = await openWorld();
    await world.add("work");
    await world.add("more");
    const second = await openSecond(world);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? world : second).next("a1")),
    );
    expect(new Set(answers.map(({ turn }) => turn?.turn_id)).size).toBe(1);
    expect(answers.filter(({ decision }) => decision.kind === "run" && decision.turn === "open")).toHaveLength(1);
    expect(await rowsOf(world.project, "turns")).toHaveLength(1);
  });

  test("two agents never get one todo", async () => {
    const world = await openWorld();
    await world.add("only");
    const second = await openSecond(world);
    const [one, two] = await Promise.all([world.next("a1"), second.next("a2")]);
    expect([one.decision.kind, two.decision.kind].toSorted()).toEqual(["run", "wait"]);
  });

  test("a claim taken beforehand is the turn's own and counts one level higher", async () => {
    const world = await openWorld();
    await world.add("urgent", { priority: 0 });
    const mine = await world.add("mine", { priority: 1 });
    const request = { goalId: GOAL, todoId: mine.id, caller: a1, agentId: "a1", leaseTtlMs: TTL_MS };
    accepted(await claimTodo(world.project, request, world.ambient));
    const { decision, turn } = await world.next("a1");
    expect(decision).toEqual({ kind: "run", todoId: mine.id, selectedBy: "my_claim", turn: "open", epoch: 1 });
    expect(turn?.claim_epoch).toBe(1);
  });

  test("an unknown goal or agent and an unverified thread are refused, never run", async () => {
    const world = await openWorld();
    await world.add("work");
    const ask = (more: object): Promise<string> => {
      const request = { goalId: GOAL, agentId: "a1", turnId: null, threadId: null, leaseTtlMs: TTL_MS, ...more };
      return refusalOf(askNextTurn(world.project, request, world.ambient));
    };
    const before = await contentOf(world.project);
    expect(await ask({ goalId: "other-goal" })).toBe("unknown_goal");
    expect(await ask({ agentId: "a9" })).toBe("unknown_agent");
    expect(await ask({ threadId: "thread-1" })).toBe("binding_not_verified");
    expect(await contentOf(world.project)).toEqual(before);
    await world.bind("thread-1", "a1");
    expect(await ask({ threadId: "thread-1" })).toBe("accepted");
    expect(await ask({ threadId: "thread-1", agentId: "a2" })).toBe("binding_not_verified");
  });

  test("a list of nothing but blocked todos never runs", async () => {
    const world = await openWorld();
    const first = await world.add("first", { resume: "manual" });
    await world.add("second", { depends_on: [first.id] });
    expect((await world.next("a1")).decision).toEqual({ kind: "wait", reason: "deferred_manual", until: null });
    expect(await rowsOf(world.project, "turns")).toEqual([]);
  });

  test("a question names the gates in full, at most five of them", async () => {
    const world = await openWorld();
    for (let count = 1; count <= 7; count += 1) {
      await world.add(`question ${count}?`, {
        role: "user",
        task_class: "user_gate",
        gate: newGate("decision", ["goal"]),
      });
    }
    const { decision, asked } = await world.next("a1");
    expect(decision).toMatchObject({ kind: "ask_user", todoIds: asked.map((todo) => todo.todo_id), moreCount: 2 });
    expect(asked.map((todo) => todo.text)).toEqual([1, 2, 3, 4, 5].map((count) => `question ${count}?`));
  });
});

test("a store that cannot be written still answers, but opens no turn", async () => {
  const world = await openWorld();
  const { id } = await world.add("work", { resume: "manual" });
  const readOnly = await world.open("state.db", "read");
  const ask = (): ReturnType<typeof askNextTurn> => {
    const request = { goalId: GOAL, agentId: "a1", turnId: null, threadId: null, leaseTtlMs: TTL_MS };
    return askNextTurn(readOnly, request, world.ambient);
  };
  expect(accepted(await ask()).decision.kind).toBe("wait");
  await world.complete(id, { caller: { actor: OWNER, threadId: null }, followUp: { kind: "next", text: "go" } });
  expect(await refusalOf(ask())).toBe("store_read_only");
  expect(await rowsOf(world.project, "turns")).toEqual([]);
});
