import { REPLAN } from "../turns/turn.ts";
import type { ExportedTable } from "./exported-tables.ts";

/** A row of an export whose own columns are in order. */
export interface CheckedRow {
  readonly line: number;
  readonly table: ExportedTable;
  readonly row: Readonly<Record<string, unknown>>;
}

/** The first column that names a row the export does not hold, and dependencies that todo and edges tell differently. */
export function findDangling(
  rows: readonly CheckedRow[],
): { readonly line: number; readonly column: string } | undefined {
  const todos = listKeys(rows, "todos", ["todo_id"]);
  const turns = listKeys(rows, "turns", ["turn_id"]);
  const edges = listKeys(rows, "todo_dependencies", ["todo_id", "depends_on_id"]);
  const events = listKeys(rows, "events", ["seq"]);
  const told = new Set<string>();
  for (const { line, table, row } of rows) {
    if (table !== "todos") continue;
    const column = findDanglingOfTodo(row, todos);
    if (column !== undefined) return { line, column };
    for (const needed of listDependencies(row)) told.add(toKey(row["goal_id"], row["todo_id"], needed));
    const isTold = listDependencies(row).every((needed) => edges.has(toKey(row["goal_id"], row["todo_id"], needed)));
    if (!isTold) return { line, column: "depends_on" };
  }
  for (const { line, table, row } of rows) {
    const goalId = row["goal_id"];
    const hasTodo = row["todo_id"] === null || row["todo_id"] === REPLAN || todos.has(toKey(goalId, row["todo_id"]));
    if ((table === "turns" || table === "evidence") && !hasTodo) return { line, column: "todo_id" };
    const hasTurn = table !== "evidence" || row["turn_id"] === null || turns.has(toKey(goalId, row["turn_id"]));
    if (!hasTurn) return { line, column: "turn_id" };
    // The event at a cutoff is never removed.
    const hasCutoff = table !== "event_compactions" || events.has(toKey(goalId, row["through_seq"]));
    if (!hasCutoff) return { line, column: "through_seq" };
    const isEdgeTold = table !== "todo_dependencies" || told.has(toKey(goalId, row["todo_id"], row["depends_on_id"]));
    if (!isEdgeTold) return { line, column: "depends_on_id" };
  }
  return undefined;
}

function listKeys(rows: readonly CheckedRow[], table: ExportedTable, columns: readonly string[]): ReadonlySet<string> {
  const keys = rows
    .filter((entry) => entry.table === table)
    .map(({ row }) => toKey(row["goal_id"], ...columns.map((column) => row[column])));
  return new Set(keys);
}

/** Ids hold no line feed. */
function toKey(...parts: readonly unknown[]): string {
  return parts.join("\n");
}

function listDependencies(todo: CheckedRow["row"]): readonly string[] {
  return JSON.parse(String(todo["depends_on"])) as readonly string[];
}

function findDanglingOfTodo(todo: CheckedRow["row"], todos: ReadonlySet<string>): string | undefined {
  const isThere = (todoId: unknown): boolean => todos.has(toKey(todo["goal_id"], todoId));
  const isAwaited = /^todo_done:(.*)$/.exec(String(todo["resume"]))?.[1];
  if (isAwaited !== undefined && !isThere(isAwaited)) return "resume";
  if (todo["successor_todo_id"] !== null && !isThere(todo["successor_todo_id"])) return "successor_todo_id";
  if (!listDependencies(todo).every((needed) => needed !== todo["todo_id"] && isThere(needed))) return "depends_on";
  const gate: unknown = todo["gate"];
  if (typeof gate !== "string") return undefined;
  const { blocks } = JSON.parse(gate) as { readonly blocks: readonly string[] };
  return blocks.every((target) => !target.startsWith("todo_") || isThere(target)) ? undefined : "gate";
}
