import { findCyclicTodo } from "../todos/dependency-cycle.ts";
import type { CheckedRow } from "./find-dangling.ts";

/** The first column by which a todo of the export waits for itself: no command lets one do so. */
export function findCyclicRow(
  rows: readonly CheckedRow[],
): { readonly line: number; readonly column: string } | undefined {
  const todos = rows.filter(({ table }) => table === "todos");
  const waits = new Map(
    todos.map((entry) => [toKey(entry.row, entry.row["todo_id"]), { entry, ...listWaits(entry.row) }]),
  );
  const edges = new Map([...waits].map(([key, { needed, awaited }]) => [key, [...needed, ...awaited]]));
  const cyclic = findCyclicTodo(edges);
  const found = cyclic === undefined ? undefined : waits.get(cyclic);
  if (found === undefined) return undefined;
  return { line: found.entry.line, column: found.needed.length > 0 ? "depends_on" : "resume" };
}

function listWaits(todo: CheckedRow["row"]): {
  readonly needed: readonly string[];
  readonly awaited: readonly string[];
} {
  const needed = JSON.parse(String(todo["depends_on"])) as readonly string[];
  const isWaiting = todo["status"] === "deferred" || todo["status"] === "blocked";
  const awaited = isWaiting ? /^todo_done:(.*)$/.exec(String(todo["resume"]))?.[1] : undefined;
  return {
    needed: needed.map((todoId) => toKey(todo, todoId)),
    awaited: awaited === undefined ? [] : [toKey(todo, awaited)],
  };
}

/** Ids hold no line feed. */
function toKey(todo: CheckedRow["row"], todoId: unknown): string {
  return `${String(todo["goal_id"])}\n${String(todoId)}`;
}
