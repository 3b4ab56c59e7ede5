import { redactDeep, type Instant } from "@loopx/contracts";
import type { SqlRow, Transaction } from "@loopx/store";
import { EXPORTED_TABLES, type ExportedTable } from "./exported-tables.ts";

/** First line of an export. The rest is one row a line, then a last line that counts them. */
export const EXPORT_SCHEMA = "loopx_export_v1";

export interface ExportRequest {
  /** Only this goal; null exports them all. */
  readonly goalId: string | null;
  /** Masks local paths and credentials, and says so in the head line: not for import. */
  readonly isPublic: boolean;
  readonly now: Instant;
}

/** The lines of an export, each one JSON document without its newline. */
export async function* exportProject(tx: Transaction, request: ExportRequest): AsyncGenerator<string> {
  yield JSON.stringify({ schema_version: EXPORT_SCHEMA, public: request.isPublic, exported_at: request.now });
  let count = 0;
  for (const table of EXPORTED_TABLES) {
    for await (const row of readRows(tx, table, request.goalId)) {
      const shown: unknown = request.isPublic ? maskRow(row) : row;
      yield JSON.stringify({ table, row: shown });
      count += 1;
    }
  }
  yield JSON.stringify({ end: true, rows: count });
}

const PAGE = 500;

async function* readRows(tx: Transaction, table: ExportedTable, goalId: string | null): AsyncGenerator<SqlRow> {
  for (let offset = 0; ; offset += PAGE) {
    const where = goalId === null ? "" : "WHERE goal_id = ? ";
    const parameters = goalId === null ? [PAGE, offset] : [goalId, PAGE, offset];
    const rows = await tx.all(
      `SELECT * FROM ${table} ${where}ORDER BY ${ORDER[table]} LIMIT ? OFFSET ?`,
      ...parameters,
    );
    yield* rows;
    if (rows.length < PAGE) return;
  }
}

const ORDER: Readonly<Record<ExportedTable, string>> = {
  goals: "goal_id",
  agents: "goal_id, agent_id",
  activations: "goal_id, agent_id",
  thread_bindings: "goal_id, host_surface, thread_id",
  todos: "goal_id, position, todo_id",
  todo_dependencies: "goal_id, todo_id, depends_on_id",
  turns: "goal_id, opened_at, turn_id",
  evidence: "goal_id, recorded_at, evidence_id",
  decision_reviews: "goal_id, recorded_at, checkpoint_ref",
  context_attachments: "goal_id, profile",
  event_compactions: "goal_id, through_seq, compaction_id",
  events: "goal_id, seq",
};

/** Structures lie in rows as JSON text; they are masked as structures, so that the text stays JSON. */
function maskRow(row: SqlRow): unknown {
  const masked: Record<string, unknown> = {};
  for (const [column, value] of Object.entries(row)) {
    const isStructure = typeof value === "string" && (value.startsWith("{") || value.startsWith("["));
    masked[column] = isStructure ? maskStructure(value) : redactDeep(value);
  }
  return masked;
}

function maskStructure(text: string): unknown {
  try {
    return JSON.stringify(redactDeep(JSON.parse(text)));
  } catch {
    return redactDeep(text);
  }
}
