import { parseStrictJson } from "@loopx/contracts";
import { EVENT_TYPES, type EntityKind, type EventType } from "../events/event.ts";
import { THREAD_BINDINGS } from "../threads/thread-binding-rows.ts";
import type { ColumnRule } from "../events/column-rule.ts";
import { TABLE_SHAPES, type ExportedTable } from "./exported-tables.ts";
import { ROW_RULES } from "./row-rules.ts";

type Row = Readonly<Record<string, unknown>>;

/** The first column of a row that nothing of ours could have written, or undefined. */
export function findUnfitColumn(table: ExportedTable, row: Row): string | undefined {
  const unfit = Object.entries<ColumnRule>(ROW_RULES[table]).find(([column, rule]) => !rule(row[column]));
  return unfit?.[0] ?? findContradiction(table, row);
}

/** A column that does not go with the row's others. */
function findContradiction(table: ExportedTable, row: Row): string | undefined {
  if (table === "goals") {
    return (row["budget_window_turns"] === null) === (row["budget_window_ms"] === null)
      ? undefined
      : "budget_window_turns";
  }
  if (table === "todos") return findTodoContradiction(row);
  return table === "events" ? findEventContradiction(row) : undefined;
}

function findTodoContradiction(row: Row): string | undefined {
  const taskClass = String(row["task_class"]);
  if (taskClass.startsWith("user_") !== (row["role"] === "user")) return "task_class";
  if ((taskClass === "user_gate") !== (row["gate"] !== null)) return "gate";
  if (taskClass === "monitor" && row["cadence_ms"] === null) return "cadence_ms";
  return row["gate"] === null ? undefined : findGateContradiction(row);
}

/** An approved gate is done; a rejected one still holds what it names, unless it is an edit, which holds nothing. */
function findGateContradiction(row: Row): string | undefined {
  const { kind, decision, blocks } = JSON.parse(String(row["gate"])) as Readonly<Record<string, unknown>>;
  const isEdit = kind === "objective_edit";
  if (isEdit && (blocks as readonly unknown[]).length > 0) return "gate";
  const isOver = decision === "approved" || (isEdit && decision === "rejected");
  return row["status"] === "superseded" || (row["status"] === "done") === isOver ? undefined : "status";
}

const TABLE_OF: Readonly<Record<EntityKind, ExportedTable>> = {
  goal: "goals",
  agent: "agents",
  activation: "activations",
  thread_binding: "thread_bindings",
  todo: "todos",
  turn: "turns",
  evidence: "evidence",
  decision_review: "decision_reviews",
  context_attachment: "context_attachments",
  compaction: "event_compactions",
};

/** The image of an event is a whole row of its entity, of the event's own goal. */
function findEventContradiction(row: Row): string | undefined {
  const { entity } = EVENT_TYPES[row["type"] as EventType];
  if (row["entity"] !== entity) return "entity";
  const table = TABLE_OF[entity];
  const image = parseStrictJson(String(row["image"])) as Row;
  const { columns } = TABLE_SHAPES[table];
  const isWhole = Object.keys(image).length === columns.length && columns.every((name) => Object.hasOwn(image, name));
  const isOwn = isWhole && image["goal_id"] === row["goal_id"];
  return isOwn && findUnfitColumn(table, toRow(table, image)) === undefined ? undefined : "image";
}

/** An image as it would lie in its table. */
function toRow(table: ExportedTable, image: Row): Row {
  const flags: readonly string[] = table === "thread_bindings" ? THREAD_BINDINGS.flags : [];
  const entries = Object.entries(image).map(([column, value]) => {
    if (value !== null && TABLE_SHAPES[table].json.includes(column)) return [column, JSON.stringify(value)];
    return [column, flags.includes(column) && typeof value === "boolean" ? Number(value) : value];
  });
  return Object.fromEntries(entries) as Row;
}
