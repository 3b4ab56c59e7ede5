import { describe, expect, test } from "vitest";
import {
  BOARD_COLUMNS,
  countBoard,
  listBoardColumn,
  newGate,
  parseBoardCursor,
  type BoardColumn,
} from "../../src/index.ts";
import { accepted, GOAL, HOUR_MS, openWorld, type World } from "../control-plane-world.ts";

function pageOf(world: World, column: BoardColumn, after: string | null): ReturnType<typeof listBoardColumn> {
  const cursor = after === null ? null : parseBoardCursor(after);
  if (cursor === undefined) throw new Error("a cursor of ours does not parse");
  return world.project.read((tx) =>
    listBoardColumn(tx, { goalId: GOAL, column, limit: 2, cursor }, world.ambient.now()),
  );
}

/** The texts of a column, read two at a time. */
async function textsOf(world: World, column: BoardColumn): Promise<readonly string[]> {
  const texts: string[] = [];
  let after: string | null = null;
  do {
    const { items, nextCursor }: Awaited<ReturnType<typeof pageOf>> = await pageOf(world, column, after);
    texts.push(...items.map((todo) => todo.text));
    after = nextCursor;
  } while (after !== null);
  return texts;
}

async function readBoard(world: World): Promise<Partial<Record<BoardColumn, readonly string[]>>> {
  const board: Partial<Record<BoardColumn, readonly string[]>> = {};
  const counts = await world.project.read((tx) => countBoard(tx, GOAL, world.ambient.now()));
  for (const column of BOARD_COLUMNS) {
    const texts = await textsOf(world, column);
    expect(counts[column]).toBe(texts.length);
    if (texts.length > 0) board[column] = texts;
  }
  return board;
}

describe("the board of a goal", () => {
  test("has each todo in one column, by priority and written order, and what is finished latest first", async () => {
    const world = await openWorld();
    for (const [text, priority] of [
      ["third", 2],
      ["first", 0],
      ["second", 1],
      ["fourth", 2],
      ["fifth", 2],
    ] as const) {
      await world.add(text, { priority });
    }
    await world.add("put off", { resume: "manual" });
    const gate = await world.add("may I?", { role: "user", task_class: "user_gate", gate: newGate("decision", []) });
    for (const text of ["done one", "done two"]) accepted(await world.complete((await world.add(text)).id));
    expect(await readBoard(world)).toEqual({
      yours: ["may I?"],
      open: ["first", "second", "third", "fourth", "fifth"],
      deferred: ["put off"],
      done: ["done two", "done one"],
    });
    accepted(await world.decide(gate.id, "reject"));
    expect(await readBoard(world)).toMatchObject({ blocked: ["may I?"] });
  });

  test("has what an agent holds in progress until its lease ends", async () => {
    const world = await openWorld();
    await world.add("work");
    await world.run("a1");
    expect(await readBoard(world)).toEqual({ claimed: ["work"] });
    world.ambient.advance(24 * HOUR_MS);
    expect(await readBoard(world)).toEqual({ open: ["work"] });
  });

  test("takes no cursor of another list", () => {
    for (const text of ["", "5.1", "0.2.17", "1.x", "1.1234567890123456"]) {
      expect(parseBoardCursor(text)).toBeUndefined();
    }
  });
});
