import type { EventPage, TodoPage } from "@loopx/workstation/contract";
import { LoopxError, parseInstant } from "@loopx/contracts";
import {
  BOARD_COLUMNS,
  listBoardColumn,
  listEvents,
  parseBoardCursor,
  type BoardColumn,
  type BoardCursor,
} from "@loopx/control-plane";
import type { Hono } from "hono";
import { toEventRow } from "../goal/event-row.ts";
import { loadGoalAnswer } from "../goal/load-goal-answer.ts";
import { loadGoalAt, type Point } from "../goal/load-goal-at.ts";
import { loadTodoAnswer } from "../goal/load-todo-answer.ts";
import { readGoal } from "../goal/read-goal.ts";
import { toTodoRows } from "../goal/todo-rows.ts";
import { renderDocument } from "../render-document.ts";
import type { WorkstationWorld } from "../workstation-world.ts";
import { addGoalChangeRoutes } from "./goal-change-routes.ts";

const ROWS = 50;

/** What the screen goal shows, and what an owner changes on it. */
export function addGoalRoutes(app: Hono, world: WorkstationWorld): void {
  app.get("/api/goals/:goalId", async ({ req }) => {
    const now = world.ambient.now();
    return renderDocument(await readGoal(req.param("goalId"), world, (tx, found) => loadGoalAnswer(tx, found, now)));
  });
  app.get("/api/goals/:goalId/todos", async ({ req }) => {
    const goalId = req.param("goalId");
    const query = {
      goalId,
      column: parseColumn(req.query("column")),
      cursor: parseTodoPlace(req.query("cursor")),
      limit: ROWS,
    };
    const now = world.ambient.now();
    const page = await readGoal(goalId, world, async (tx): Promise<TodoPage> => {
      const { items, nextCursor } = await listBoardColumn(tx, query, now);
      return { rows: await toTodoRows(tx, goalId, items), next_cursor: nextCursor };
    });
    return renderDocument(page);
  });
  app.get("/api/goals/:goalId/todos/:todoId", async ({ req }) => {
    const { goalId, todoId } = req.param();
    const now = world.ambient.now();
    const todo = await readGoal(goalId, world, (tx) => loadTodoAnswer(tx, { goalId, todoId }, now));
    if (todo !== undefined) return renderDocument(todo);
    throw new LoopxError("unknown_todo", { message: "no todo of this goal has this id", details: { todo_id: todoId } });
  });
  app.get("/api/goals/:goalId/events", async ({ req }) => {
    const goalId = req.param("goalId");
    const cursor = req.query("cursor");
    const beforeSeq = cursor === undefined ? null : parseSeq(cursor, "cursor");
    const page = await readGoal(goalId, world, async (tx): Promise<EventPage> => {
      const events = await listEvents(tx, goalId, { beforeSeq, limit: ROWS + 1 });
      const rows = events.slice(0, ROWS).map(toEventRow);
      return { rows, next_cursor: events.length > ROWS ? String(rows.at(-1)?.seq ?? 0) : null };
    });
    return renderDocument(page);
  });
  app.get("/api/goals/:goalId/at/:point", async ({ req }) => {
    const { goalId, point } = req.param();
    const query = { point: parsePoint(point), afterId: req.query("cursor") ?? "" };
    const then = await readGoal(goalId, world, (tx) => loadGoalAt(tx, goalId, query));
    if (then !== undefined) return renderDocument(then);
    throw new LoopxError("invalid_value", { message: "the goal did not exist yet", details: { field: "at" } });
  });
  addGoalChangeRoutes(app, world);
}

function parseColumn(text: string | undefined): BoardColumn {
  const column = BOARD_COLUMNS.find((each) => each === text);
  if (column !== undefined) return column;
  throw new LoopxError("invalid_value", {
    message: `column is one of ${BOARD_COLUMNS.join(", ")}`,
    details: { field: "column" },
  });
}

function parseTodoPlace(text: string | undefined): BoardCursor | null {
  if (text === undefined) return null;
  const cursor = parseBoardCursor(text);
  if (cursor !== undefined) return cursor;
  throw new LoopxError("invalid_value", { message: "cursor takes next_cursor", details: { field: "cursor" } });
}

function parsePoint(text: string): Point {
  return /^\d+$/.test(text) ? { seq: parseSeq(text, "at") } : { at: parseInstant(text, "at") };
}

function parseSeq(text: string, field: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new LoopxError("invalid_value", { message: `${field} takes the number of an event`, details: { field } });
}
