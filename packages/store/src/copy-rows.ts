import type { SqlRow, SqlValue, Transaction } from "./database.ts";
import { listKeyedTables, readRows } from "./keyed-tables.ts";
import type { Migration } from "./migrations.ts";

/** Rows written by one statement. Their values stay far below what an engine takes. */
const ROWS_WRITTEN_AT_ONCE = 100;

export interface CopyOptions {
  /** Tables that are left as they are. */
  readonly except?: readonly string[];
}

/** Writes a row as it is; false, with nothing written, where a row with one of its keys is there. */
export async function insertOnce(tx: Transaction, table: string, row: SqlRow): Promise<boolean> {
  const marks = Object.keys(row).map(() => "?");
  const sql = `INSERT INTO ${table} (${Object.keys(row).join(", ")}) VALUES (${marks.join(", ")}) ON CONFLICT DO NOTHING`;
  return (await tx.run(sql, ...Object.values(row))) > 0;
}

/** Copies every row of every table. The target has none yet. */
export async function copyRows(
  from: Transaction,
  to: Transaction,
  migrations: readonly Migration[],
  { except = [] }: CopyOptions = {},
): Promise<void> {
  for (const table of listKeyedTables(migrations)) {
    if (except.includes(table.name)) continue;
    let waiting: SqlRow[] = [];
    for await (const row of readRows(from, table)) {
      waiting.push(row);
      if (waiting.length < ROWS_WRITTEN_AT_ONCE) continue;
      await insertRows(to, table.name, waiting);
      waiting = [];
    }
    await insertRows(to, table.name, waiting);
  }
}

/** Deletes every row of every table, those that refer to others first. */
export async function clearRows(tx: Transaction, migrations: readonly Migration[]): Promise<void> {
  for (const { name } of listKeyedTables(migrations).toReversed()) await tx.run(`DELETE FROM ${name}`);
}

/** Writes rows of one table as they are. Names come from our own schema. */
async function insertRows(tx: Transaction, table: string, rows: readonly SqlRow[]): Promise<void> {
  const [first] = rows;
  if (first === undefined) return;
  const columns = Object.keys(first);
  const marks = `(${columns.map(() => "?").join(", ")})`;
  const values: readonly SqlValue[] = rows.flatMap((row) => columns.map((column) => row[column] ?? null));
  const places = rows.map(() => marks).join(", ");
  await tx.run(`INSERT INTO ${table} (${columns.join(", ")}) VALUES ${places}`, ...values);
}
