import { ACTIVATIONS } from "../activations/activation-rows.ts";
import { AGENTS } from "../agents/agent-rows.ts";
import { COMPACTIONS } from "../compactions/compaction-rows.ts";
import { CONTEXT_ATTACHMENTS } from "../contexts/context-attachment-rows.ts";
import { listColumns, type EntityTable } from "../events/entity-table.ts";
import { GOALS } from "../goals/goal-rows.ts";
import { DECISION_REVIEWS } from "../reviews/decision-review-rows.ts";
import { THREAD_BINDINGS } from "../threads/thread-binding-rows.ts";
import { TODOS } from "../todos/todo-rows.ts";
import { EVIDENCE, TURNS } from "../turns/turn-rows.ts";

/** Tables that make a project's state, in an order that `import` can follow. */
export const EXPORTED_TABLES = [
  "goals",
  "agents",
  "activations",
  "thread_bindings",
  "todos",
  "todo_dependencies",
  "turns",
  "evidence",
  "decision_reviews",
  "context_attachments",
  "event_compactions",
  "events",
] as const;

export type ExportedTable = (typeof EXPORTED_TABLES)[number];

/** What every row of a table has: no name but these ever reaches a statement. */
interface TableShape {
  readonly columns: readonly string[];
  readonly key: readonly string[];
  /** Columns of JSON text. */
  readonly json: readonly string[];
}

export const TABLE_SHAPES: Readonly<Record<ExportedTable, TableShape>> = {
  goals: toShape(GOALS),
  agents: toShape(AGENTS),
  activations: toShape(ACTIVATIONS),
  thread_bindings: toShape(THREAD_BINDINGS),
  todos: toShape(TODOS),
  todo_dependencies: {
    columns: ["goal_id", "todo_id", "depends_on_id"],
    key: ["goal_id", "todo_id", "depends_on_id"],
    json: [],
  },
  turns: toShape(TURNS),
  evidence: toShape(EVIDENCE),
  decision_reviews: toShape(DECISION_REVIEWS),
  context_attachments: toShape(CONTEXT_ATTACHMENTS),
  event_compactions: toShape(COMPACTIONS),
  events: {
    columns: ["goal_id", "seq", "type", "at", "actor", "entity", "entity_id", "image"],
    key: ["goal_id", "seq"],
    json: ["actor", "image"],
  },
};

function toShape<Entity extends object>(table: EntityTable<Entity>): TableShape {
  return { columns: listColumns(table), key: table.key, json: table.json };
}
