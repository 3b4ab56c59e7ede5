import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  listLiveGates,
  listTodos,
  newGate,
  parseTodoCursor,
  type Page,
  type Todo,
  type TodoFilter,
} from "../../src/index.ts";
import { GOAL, openWorld, type World } from "../control-plane-world.ts";

const everything: TodoFilter = { role: null, status: null, taskClass: null, agentId: null };

async function pageOf(
  world: World,
  query: { readonly filter: TodoFilter; readonly limit: number; readonly cursor: string | null },
): Promise<Page<Todo>> {
  const cursor = query.cursor === null ? null : parseTodoCursor(query.cursor);
  if (cursor === undefined) throw new Error("a cursor of ours does not parse");
  return world.project.read((tx) => listTodos(tx, GOAL, { ...query, cursor }));
}

async function pagesOf(world: World, filter: TodoFilter, limit: number): Promise<readonly (readonly string[])[]> {
  const pages: (readonly string[])[] = [];
  let cursor: string | null = null;
  do {
    const page: Page<Todo> = await pageOf(world, { filter, limit, cursor });
    pages.push(page.items.map((todo) => todo.text));
    cursor = page.nextCursor;
  } while (cursor !== null);
  return pages;
}

describe("listTodos", () => {
  test("pages by what is live, then priority, then written order; each todo is on one page", async () => {
    const world = await openWorld();
    const written = [];
    for (const [text, priority] of [
      ["d", 2],
      ["a", 0],
      ["e", 2],
      ["c", 1],
      ["x", 0],
      ["b", 0],
    ] as const) {
      written.push(await world.add(text, { priority }));
    }
    await world.complete(written[4]?.id ?? "");
    expect(await pagesOf(world, everything, 4)).toEqual([
      ["a", "b", "c", "d"],
      ["e", "x"],
    ]);
    for (const limit of [1, 2, 3, 5, 6, 7]) {
      expect((await pagesOf(world, everything, limit)).flat()).toEqual(["a", "b", "c", "d", "e", "x"]);
    }
  });

  test("filters by role, status, class and by what an agent holds or may take", async () => {
    const world = await openWorld();
    await world.add("mine", { claimedBy: "a1" });
    await world.add("theirs", { claimedBy: "a2" });
    await world.add("free");
    await world.add("later", { resume: "manual" });
    await world.add("call", { role: "user", task_class: "user_action" });
    const of = async (filter: Partial<TodoFilter>): Promise<readonly string[]> =>
      (await pagesOf(world, { ...everything, ...filter }, 10)).flat();
    expect(await of({ role: "user" })).toEqual(["call"]);
    expect(await of({ status: "deferred" })).toEqual(["later"]);
    expect(await of({ taskClass: "advancement_task" })).toEqual(["mine", "theirs", "free", "later"]);
    expect(await of({ agentId: "a1", role: "agent" })).toEqual(["mine", "free", "later"]);
  });

  test("text that is no cursor is none", () => {
    fc.assert(
      fc.property(fc.string(), (text) => parseTodoCursor(text) === undefined || /^[01]\.[0-4]\.\d{1,15}$/.test(text)),
    );
    expect(parseTodoCursor("1.4.123")).toEqual({ finished: 1, priority: 4, position: 123 });
    for (const text of ["", "2.0.1", "0.5.1", "0.0.", "0.0.1 ", "-1.0.1"])
      expect(parseTodoCursor(text)).toBeUndefined();
  });
});

test("listLiveGates shows what still asks or holds, most urgent first", async () => {
  const world = await openWorld();
  const gateOf = (text: string, priority: number) =>
    world.add(text, { role: "user", task_class: "user_gate", priority, gate: newGate("decision", ["goal"]) });
  const approved = await gateOf("approved", 0);
  const rejected = await gateOf("rejected", 2);
  const open = await gateOf("open", 1);
  await world.decide(approved.id, "approve");
  await world.decide(rejected.id, "reject");
  const gates = await world.project.read((tx) => listLiveGates(tx, GOAL, 10));
  expect(gates.map((gate) => gate.todo_id)).toEqual([open.id, rejected.id]);
});
