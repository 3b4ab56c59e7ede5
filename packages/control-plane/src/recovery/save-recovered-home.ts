import { insertOnce, type SqlRow, type Transaction } from "@loopx/store";
import type { RowsByTable } from "./rebuild-state.ts";

/**
 * Writes what was recovered of a home into a new one, but for what names a project, goal or lane that is lost: each project
 * that is connected again brings its own. Resolves to how many rows were written, and how many left out.
 */
export async function saveRecoveredHome(
  tx: Transaction,
  tables: RowsByTable,
): Promise<{ readonly carriedRows: number; readonly droppedRows: number }> {
  const counts = { carriedRows: 0, droppedRows: 0 };
  const save = async (table: string, isKept: (row: SqlRow) => boolean): Promise<readonly SqlRow[]> => {
    const kept = (tables.get(table) ?? []).filter(isKept);
    counts.droppedRows += (tables.get(table) ?? []).length - kept.length;
    for (const row of kept) if (await insertOnce(tx, table, row)) counts.carriedRows += 1;
    return kept;
  };
  const projects = listValues(await save("projects", () => true), ["project_id"]);
  const ofProject = (row: SqlRow): boolean => projects.has(toKey(row, ["project_id"]));
  const goals = listValues(await save("registered_goals", ofProject), ["goal_id"]);
  const agents = listValues(await save("registered_agents", (row) => goals.has(toKey(row, ["goal_id"]))), [
    "goal_id",
    "agent_id",
  ]);
  await save("registered_bindings", (row) => agents.has(toKey(row, ["goal_id", "agent_id"])));
  await save("owner_tokens", () => true);
  const revisions = listValues(await save("extension_revisions", () => true), ["extension_id", "revision"]);
  await save("extensions", (row) => revisions.has(`${String(row["extension_id"])}\n${String(row["active_revision"])}`));
  // Counted on, so that the file which other programs read is written again.
  const sequences = (tables.get("registry") ?? []).map((row) => Number(row["sequence"]));
  await tx.run("UPDATE registry SET sequence = ?", Math.max(0, ...sequences) + 1);
  return counts;
}

function listValues(rows: readonly SqlRow[], columns: readonly string[]): ReadonlySet<string> {
  return new Set(rows.map((row) => toKey(row, columns)));
}

function toKey(row: SqlRow, columns: readonly string[]): string {
  return columns.map((column) => String(row[column])).join("\n");
}
