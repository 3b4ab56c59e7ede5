import { isLoopxError, parseProjectId, type Instant } from "@loopx/contracts";
import { insertOnce, type SqlRow, type Transaction } from "@loopx/store";
import { accepts } from "../events/column-rule.ts";
import { decodeRow } from "../events/entity-table.ts";
import { ENTITY_TABLES } from "../events/entity-tables.ts";
import { listDerivedRows } from "../integrity/derived-rows.ts";
import { isSetting } from "../integrity/find-state-faults.ts";
import { decodeEvent } from "../integrity/newest-images.ts";
import { TODOS } from "../todos/todo-rows.ts";
import type { RowsByTable } from "./rebuild-state.ts";

/** Whether a row of one of this part's tables is one that a write of ours can have left there. */
export function isStateRow(table: string, row: SqlRow): boolean {
  const entity = Object.values(ENTITY_TABLES).find(({ name }) => name === table);
  if (entity !== undefined) return isDecodable(() => decodeRow(entity, row));
  if (table === "events") return decodeEvent(row) !== undefined;
  if (table === "settings") return isSetting(row["name"], row["value"]);
  if (table === "project") return accepts(() => parseProjectId(String(row["project_id"])) === row["project_id"]);
  return true;
}

function isDecodable(decode: () => object): boolean {
  try {
    decode();
    return true;
  } catch (error) {
    if (isLoopxError(error)) return false;
    throw error;
  }
}

/** Writes recovered state into a store that has none, with what other tables repeat of it. */
export async function saveRecoveredState(
  tx: Transaction,
  state: {
    readonly tables: RowsByTable;
    readonly others: RowsByTable;
    readonly projectId: string;
    readonly now: Instant;
  },
): Promise<void> {
  await insertOnce(tx, "project", { project_id: state.projectId, created_at: state.now });
  for (const [table, rows] of [...state.tables, ...state.others])
    for (const row of rows) await insertOnce(tx, table, row);
  for (const row of state.tables.get(TODOS.name) ?? []) {
    for (const [table, derived] of Object.entries(listDerivedRows(decodeRow(TODOS, row))))
      for (const repeated of derived) await insertOnce(tx, table, repeated);
  }
}
