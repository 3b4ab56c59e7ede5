import type { Database, SqlRow } from "@loopx/store";
import { EXPORTED_TABLES } from "./exported-tables.ts";

const TABLES = [...EXPORTED_TABLES, "gate_targets", "settings"] as const;

/**
 * Makes a project's state equal to that of another store of the same schema, in one transaction. `otherTables` are those that
 * other parts keep in it.
 */
export async function replaceProjectState(
  target: Database,
  source: Database,
  otherTables: readonly string[] = [],
): Promise<void> {
  const content = await source.read(async (tx) => {
    const tables: { readonly table: string; readonly rows: readonly SqlRow[] }[] = [];
    for (const table of [...TABLES, ...otherTables])
      tables.push({ table, rows: await tx.all(`SELECT * FROM ${table}`) });
    return tables;
  });
  await target.write(async (tx) => {
    for (const { table, rows } of content) {
      await tx.run(`DELETE FROM ${table}`);
      for (const row of rows) {
        // Column names come from our own schema, which both stores share.
        const names = Object.keys(row);
        const marks = names.map(() => "?").join(", ");
        const values = names.map((name) => row[name] ?? null);
        await tx.run(`INSERT INTO ${table} (${names.join(", ")}) VALUES (${marks})`, ...values);
      }
    }
  });
}
