import { describe, expect, test } from "vitest";
import { addTodo, archiveTodos, newGate, pauseGoal, stopGoal } from "../../src/index.ts";
import {
  a1,
  draftTodo,
  GOAL,
  openWorld,
  owner,
  unnamedProcess,
  refusalOf,
  TTL_MS,
  type World,
} from "../control-plane-world.ts";
import { contentOf, rowsOf } from "../store-content.ts";

/** The code that adding is refused with; the store must be as it was. */
async function refusalOfAdding(world: World, more: Partial<Parameters<typeof addTodo>[1]>): Promise<string> {
  const before = await contentOf(world.project);
  const request = { goalId: GOAL, caller: a1, draft: draftTodo("x"), claimedBy: null, leaseTtlMs: TTL_MS, ...more };
  const code = await refusalOf(addTodo(world.project, request, world.ambient));
  expect(await contentOf(world.project)).toEqual(before);
  return code;
}

describe("addTodo", () => {
  test("writes todos in order, each with its own id, and says who wrote them", async () => {
    const world = await openWorld();
    await world.add("first", { by: a1 });
    await world.add("second", { by: unnamedProcess });
    await world.add("third", { by: owner, priority: 0 });
    const rows = await rowsOf(world.project, "todos", "position");
    expect(
      rows.map(({ todo_id, position, text, created_by, status }) => [todo_id, position, text, created_by, status]),
    ).toEqual([
      ["todo_000001", 1, "first", "agent:a1", "open"],
      ["todo_000002", 2, "second", "process", "open"],
      ["todo_000003", 3, "third", "owner:terminal", "open"],
    ]);
  });

  test("the same open text is the same todo; another role, or the text of a finished one, is new", async () => {
    const world = await openWorld();
    const first = await world.add("same");
    const again = await world.add("same");
    expect([again.id, again.alreadyExists]).toEqual([first.id, true]);
    const other = await world.add("same", { role: "user", task_class: "user_action" });
    expect(other.alreadyExists).toBe(false);
    await world.add("keeps the goal open");
    await world.complete(first.id);
    expect((await world.add("same")).alreadyExists).toBe(false);
    expect((await world.eventTypes()).filter((type) => type === "todo_added.v1")).toHaveLength(4);
  });

  test("the same text with another check, approval or dependency is not taken for the same todo", async () => {
    const world = await openWorld();
    const first = await world.add("first");
    await world.add("same");
    const validation = { argv: ["npm", "test"], label: null, timeout_ms: 1000 };
    for (const more of [{ validation }, { action_kind: "production" }, { depends_on: [first.id] }]) {
      expect(await refusalOfAdding(world, { draft: { ...draftTodo("same"), ...more } })).toBe("todo_differs");
    }
  });

  test("a gate on a lane that the goal does not have would hold nobody", async () => {
    const world = await openWorld();
    const gate = newGate("decision", ["agent:a9"]);
    const draft = { ...draftTodo("may I?"), role: "user", task_class: "user_gate", gate } as const;
    expect(await refusalOfAdding(world, { draft })).toBe("unknown_agent");
  });

  test("texts that differ after their 64th character, or in white space only, are two todos", async () => {
    const world = await openWorld();
    const long = "x".repeat(64);
    for (const text of [`${long}a`, `${long}b`, `${long}a `]) expect((await world.add(text)).alreadyExists).toBe(false);
  });

  test("twenty writers of twenty texts keep them all; twenty of one text keep one", async () => {
    const world = await openWorld();
    const second = await world.open("state.db");
    const stores = [world.project, second];
    const add = (text: string, index: number): Promise<unknown> =>
      addTodo(
        stores[index % 2] ?? world.project,
        { goalId: GOAL, caller: a1, draft: draftTodo(text), claimedBy: null, leaseTtlMs: TTL_MS },
        world.ambient,
      );
    await Promise.all(Array.from({ length: 20 }, (_, index) => add(`todo ${index}`, index)));
    await Promise.all(Array.from({ length: 20 }, (_, index) => add("one", index)));
    const rows = await rowsOf(world.project, "todos", "position");
    expect(rows.map((row) => row["position"])).toEqual(Array.from({ length: 21 }, (_, index) => index + 1));
    expect(new Set(rows.map((row) => row["todo_id"])).size).toBe(21);
  });

  for (const kind of ["destructive_git", "credentials", "private_material", "production", "external_publication"]) {
    test(`an action of kind ${kind} brings its gate along and does not run before its approval`, async () => {
      const world = await openWorld();
      const { id, gate } = await world.add("delete the old branches", { action_kind: kind });
      expect(gate?.gate).toEqual({ ...newGate("decision", [id]), kind });
      expect(gate).toMatchObject({ role: "user", task_class: "user_gate", status: "open", position: 2 });
      expect(gate?.text).toBe(`May an agent do this (${kind.replaceAll("_", " ")})? delete the old branches`);
      const asked = await world.next("a1");
      expect(asked.decision).toEqual({ kind: "ask_user", reason: "gate", todoIds: [gate?.todo_id] });
      await world.decide(gate?.todo_id ?? "", "approve");
      expect((await world.run("a1")).todoId).toBe(id);
    });
  }

  test("an action of any other kind runs without a gate", async () => {
    const world = await openWorld();
    const { id, gate } = await world.add("mend it", { action_kind: "fix" });
    expect(gate).toBeNull();
    expect((await world.run("a1")).todoId).toBe(id);
  });

  test("no other gate's approval lets a restricted action run", async () => {
    const world = await openWorld();
    const { id } = await world.add("push to production", { action_kind: "production" });
    const gateOf = (kind: "production" | "decision", blocks: readonly string[]) =>
      world.add(`may I (${kind} ${blocks.join()})`, {
        role: "user",
        task_class: "user_gate",
        gate: newGate(kind, blocks),
      });
    for (const other of [await gateOf("decision", [id]), await gateOf("production", ["goal"])]) {
      await world.decide(other.id, "approve");
    }
    expect((await world.next("a1")).decision.kind).toBe("ask_user");
  });

  test("text is stored and returned exactly", async () => {
    const world = await openWorld();
    const texts = [
      "fix /home/user/secret-plan/src/a.ts please",
      "pay $15,000 $& $$ `id` $(touch x) 'it''s' \\ok",
      "  Überschrift 项目 👩‍👩‍👧 \u202Ertl\r\n\tend  ",
    ];
    const added = [];
    for (const text of texts) added.push(await world.add(text));
    expect(added.map(({ todo }) => todo.text)).toEqual(texts);
    expect((await rowsOf(world.project, "todos", "position")).map((row) => row["text"])).toEqual(texts);
  });

  test("a credential is refused by the name of its rule; neither store nor error holds it", async () => {
    const world = await openWorld();
    const secret = "ghp_16C7e42F292c6912E7710c838347Ae178B4a";
    const draft = draftTodo(`log in with ${secret}`);
    const before = await contentOf(world.project);
    const adding = addTodo(
      world.project,
      { goalId: GOAL, caller: a1, draft, claimedBy: null, leaseTtlMs: TTL_MS },
      world.ambient,
    );
    const error: unknown = await adding.then(
      () => "accepted",
      (thrown: unknown) => thrown,
    );
    expect(error).toMatchObject({ code: "credential_refused", details: { field: "text", rule: "github_token" } });
    expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain(secret);
    expect(await contentOf(world.project)).toEqual(before);
    expect((await world.add("rotate the API token and store the password in the vault")).alreadyExists).toBe(false);
  });

  test("a claim at birth holds for its lease", async () => {
    const world = await openWorld();
    const { todo } = await world.add("mine", { claimedBy: "a2" });
    expect([todo.claimed_by, todo.claim_epoch, todo.claim_expires_at]).toEqual(["a2", 1, "2026-03-01T12:45:00.000Z"]);
  });

  test("what cannot be stored as asked is refused and nothing is stored", async () => {
    const world = await openWorld();
    const draft = draftTodo("x");
    const gate = newGate("decision", ["goal"]);
    const missing = "todo_999999";
    const refusals: [string, Partial<Parameters<typeof addTodo>[1]>][] = [
      ["text_not_storable", { draft: { ...draft, text: "a\0b" } }],
      ["text_not_storable", { draft: { ...draft, text: "a\uD800b" } }],
      ["text_too_long", { draft: { ...draft, text: "x".repeat(4001) } }],
      ["invalid_value", { draft: { ...draft, text: " \n\t" } }],
      ["invalid_value", { draft: { ...draft, task_class: "monitor" } }],
      ["invalid_value", { draft: { ...draft, role: "user" } }],
      ["invalid_value", { draft: { ...draft, task_class: "user_gate" } }],
      ["invalid_value", { draft: { ...draft, role: "user", task_class: "user_gate" } }],
      ["invalid_value", { draft: { ...draft, gate } }],
      [
        "invalid_value",
        { draft: { ...draft, role: "user", task_class: "user_gate", gate: { ...gate, decision: "approved" } } },
      ],
      ["unknown_goal", { goalId: "other-goal" }],
      ["unknown_agent", { claimedBy: "a9" }],
      ["unknown_agent", { caller: { actor: { kind: "agent", agent_id: "a9" }, threadId: null } }],
      ["unknown_todo", { draft: { ...draft, depends_on: [missing] } }],
      ["unknown_todo", { draft: { ...draft, resume: `todo_done:${missing}` } }],
      [
        "unknown_todo",
        { draft: { ...draft, role: "user", task_class: "user_gate", gate: newGate("decision", [missing]) } },
      ],
    ];
    for (const [code, more] of refusals) {
      expect([code, await refusalOfAdding(world, more)], JSON.stringify(more)).toEqual([code, code]);
    }
  });

  test("a dependency named twice counts once", async () => {
    const world = await openWorld();
    const { id } = await world.add("first");
    const { todo } = await world.add("second", { depends_on: [id, id] });
    expect(todo.depends_on).toEqual([id]);
  });

  test("ids are never used again, not even after archiving", async () => {
    const world = await openWorld();
    await world.add("stays");
    const ids: string[] = [];
    for (const text of ["one", "two", "three"]) {
      const { id } = await world.add(text);
      ids.push(id);
      await world.complete(id);
      await archiveTodos(world.project, { goalId: GOAL, caller: a1, todoIds: [id] }, world.ambient);
    }
    expect(ids).toEqual([...new Set(ids)]);
    expect(await rowsOf(world.project, "todos")).toHaveLength(4);
  });

  test("a goal that is over takes no todo, a paused one does", async () => {
    const world = await openWorld();
    await pauseGoal(world.project, { goalId: GOAL, caller: a1, reason: null }, world.ambient);
    await world.add("while paused");
    await stopGoal(world.project, { goalId: GOAL, caller: owner, reason: null }, world.ambient);
    expect(await refusalOfAdding(world, {})).toBe("goal_not_active");
  });
});

test("a word that is nearly a restricted action kind is refused, so that it never goes without its gate", async () => {
  const world = await openWorld();
  for (const kind of ["destructive-git", "credential", "external-publication", "private_materials", "productions"]) {
    await expect(world.add(`do ${kind}`, { action_kind: kind })).rejects.toThrow("invalid_value");
  }
  expect((await world.add("implement", { action_kind: "implement" })).gate).toBe(null);
});

test("a placeholder of a printed command is no text", async () => {
  const world = await openWorld();
  expect(await refusalOf(world.add("<todo text>"))).toBe("invalid_value");
  expect((await world.add("write <b>bold</b> text")).alreadyExists).toBe(false);
});
