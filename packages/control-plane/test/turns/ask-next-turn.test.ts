import { describe, expect, test } from "vitest";
import { askNextTurn, bindThread, claimTodo, findTurn, newGate } from "../../src/index.ts";
import {
  a1,
  accepted,
  contentOf,
  GOAL,
  HOUR_MS,
  MINUTE_MS,
  openSecond,
  openWorld,
  OWNER,
  PROJECT,
  refusalOf,
  rowsOf,
  TTL_MS,
  type World,
} from "../control-plane-world.ts";

const bind = async (world: World, threadId: string, agentId: string): Promise<void> => {
  const request = { goalId: GOAL, projectId: PROJECT, hostSurface: "codex-cli", threadId, agentId, actor: OWNER };
  accepted(await bindThread(world.home, world.project, request, world.ambient));
};

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
    await bind(world, "thread-1", "a1");
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
    expect(decision.kind === "ask_user" && decision.todoIds).toHaveLength(7);
    expect(asked.map((todo) => todo.text)).toEqual([1, 2, 3, 4, 5].map((count) => `question ${count}?`));
  });
});

describe("who holds a turn", () => {
  test("another thread of the same agent waits until the lease ends, then takes over", async () => {
    const world = await openWorld();
    await bind(world, "thread-1", "a1");
    await bind(world, "thread-2", "a1");
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
    await bind(world, "thread-1", "a1");
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
    await bind(world, "thread-3", "a2");
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
    await bind(world, "thread-1", "a1");
    await bind(world, "thread-2", "a1");
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
  });
});

describe("turns without evidence, in a row", () => {
  const waste = async (world: World): Promise<void> => {
    await world.run("a1");
    world.ambient.advance(TTL_MS);
  };

  test("the third is repair, for that agent only, until it says what happened", async () => {
    const world = await openWorld();
    await world.add("work");
    await world.add("more");
    await waste(world);
    await waste(world);
    const third = await world.run("a1");
    world.ambient.advance(TTL_MS);
    const repair = { kind: "repair", code: "turns_unsettled", turnId: third.turnId };
    const answer = await world.next("a1");
    expect([answer.decision, answer.releasedTurnId]).toEqual([repair, third.turnId]);
    world.ambient.advance(10 * HOUR_MS);
    const before = await contentOf(world.project);
    expect((await world.next("a1")).decision).toEqual({ ...repair, turnId: null });
    expect(await contentOf(world.project)).toEqual(before);
    expect((await world.next("a2")).decision.kind).toBe("run");
    accepted(await world.show("a1", null, { outcome: "no_change", text: "the host kept crashing" }));
    expect((await world.next("a1")).decision.kind).toBe("run");
  });

  test("evidence in between starts the count again", async () => {
    const world = await openWorld();
    await world.add("work");
    await waste(world);
    await waste(world);
    const { turnId } = await world.run("a1");
    accepted(await world.show("a1", turnId));
    accepted(await world.spend("a1", turnId));
    world.ambient.advance(TTL_MS);
    await waste(world);
    await waste(world);
    expect((await world.next("a1")).decision.kind).toBe("run");
  });
});

describe("nothing runnable is left", () => {
  const plan = async (world: World): Promise<string> => {
    const { decision, turn } = await world.next("a1");
    expect(decision).toEqual({ kind: "replan", turn: "open" });
    world.ambient.advance(MINUTE_MS);
    return turn?.turn_id ?? "";
  };
  const settleFruitless = async (world: World): Promise<void> => {
    const turnId = await plan(world);
    accepted(await world.show("a1", turnId, { outcome: "no_change", text: "nothing to plan" }));
    accepted(await world.spend("a1", turnId));
  };

  test("a plan is a turn of its own: its evidence is the todos it wrote", async () => {
    const world = await openWorld();
    const turnId = await plan(world);
    expect((await world.next("a1")).decision).toEqual({ kind: "replan", turn: "resume" });
    expect(await refusalOf(world.show("a1", turnId))).toBe("evidence_required");
    await world.add("written by a person");
    expect(await refusalOf(world.show("a1", turnId))).toBe("evidence_required");
    const written = await world.add("planned", { by: a1, priority: 0 });
    const recorded = accepted(await world.show("a1", turnId));
    expect(recorded.settlementIdentity).toBe(`${GOAL}:a1:replan:${turnId}`);
    accepted(await world.spend("a1", turnId));
    expect((await world.run("a1")).todoId).toBe(written.id);
  });

  test("the third fruitless plan in a row asks a person, until there is work again", async () => {
    const world = await openWorld();
    await settleFruitless(world);
    await settleFruitless(world);
    const before = await contentOf(world.project);
    expect((await world.next("a1")).decision).toEqual({ kind: "ask_user", reason: "replan_exhausted", todoIds: [] });
    expect(await contentOf(world.project)).toEqual(before);
    expect((await world.next("a2")).decision.kind).toBe("replan");
    await world.add("from a person");
    const run = await world.run("a1");
    accepted(await world.complete(run.todoId, { turnId: run.turnId, followUp: { kind: "open_ended" } }));
    accepted(await world.spend("a1", run.turnId));
    world.ambient.advance(MINUTE_MS);
    await plan(world);
  });

  test("a plan that is never shown counts as fruitless too", async () => {
    const world = await openWorld();
    for (const _ of [1, 2]) {
      await plan(world);
      world.ambient.advance(TTL_MS);
    }
    expect((await world.next("a1")).decision.kind).toBe("ask_user");
  });

  test("an objective edit that was put off holds nothing back: the agent plans on", async () => {
    const world = await openWorld();
    const gate = { ...newGate("objective_edit", []), proposed_objective: "else" };
    const { id } = await world.add("May the objective change?", { role: "user", task_class: "user_gate", gate });
    const askAgainAt = world.ambient.now();
    accepted(await world.decide(id, "defer", { askAgainAt }));
    expect((await world.next("a1")).decision.kind).toBe("replan");
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
