import { expect, test } from "vitest";
import { archiveTodos, countTodosByStatus, findTodo, listTodos, loadStateAt, loadLastSeq } from "../../src/index.ts";
import { a1, accepted, GOAL, openWorld, refusalOf, type World } from "../control-plane-world.ts";
import { contentOf } from "../store-content.ts";

const archive = (world: World, todoIds: readonly string[] | null): ReturnType<typeof archiveTodos> =>
  archiveTodos(world.project, { goalId: GOAL, caller: a1, todoIds }, world.ambient);
const everything = { role: null, status: null, taskClass: null, agentId: null };

test("archived todos leave the lists and stay addressable, counted and in history", async () => {
  const world = await openWorld();
  const done = await world.add("done");
  const open = await world.add("open");
  await world.complete(done.id);
  expect(accepted(await archive(world, null)).archivedIds).toEqual([done.id]);
  expect(accepted(await archive(world, null)).archivedIds).toEqual([]);
  const page = await world.project.read((tx) => listTodos(tx, GOAL, { filter: everything, limit: 10, cursor: null }));
  expect([page.total, page.items.map((todo) => todo.todo_id)]).toEqual([1, [open.id]]);
  await world.project.read(async (tx) => {
    expect((await findTodo(tx, GOAL, done.id))?.archived_at).toBe("2026-03-01T12:00:00.000Z");
    expect(await countTodosByStatus(tx, GOAL)).toEqual({ done: 1, open: 1 });
    const state = await loadStateAt(tx, GOAL, await loadLastSeq(tx, GOAL));
    expect(state.map((event) => event.entity_id)).toContain(done.id);
  });
});

test("archiving what is not finished or not there is refused whole", async () => {
  const world = await openWorld();
  const done = await world.add("done");
  const open = await world.add("open");
  await world.complete(done.id);
  const before = await contentOf(world.project);
  expect(await refusalOf(archive(world, [done.id, open.id]))).toBe("todo_not_open");
  expect(await refusalOf(archive(world, [done.id, "todo_999999"]))).toBe("unknown_todo");
  expect(await contentOf(world.project)).toEqual(before);
});
