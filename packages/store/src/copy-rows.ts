import type { SqlRow, SqlValue, Transaction } from "./database.ts";
import type { Migration } from "./migrations.ts";
import { listDefinitions } from "./schema-definitions.ts";

/** A table and the columns of its primary key, in whose order its rows are read: the same order on every engine. */
interface KeyedTable {
  readonly name: string;
  readonly key: readonly string[];
}

/** The tables of a schema, but for the list of migrations itself. */
function listKeyedTables(migrations: readonly Migration[]): readonly KeyedTable[] {
  return listDefinitions(migrations).flatMap((definition) => {
    const name = /^CREATE TABLE (\w+)/.exec(definition)?.[1];
    if (name === undefined || name === "schema_migrations") return [];
    const listed = /\bPRIMARY KEY \(([^)]+)\)/.exec(definition)?.[1]?.split(",");
    const key = listed ?? [/[(,]\s*(\w+) [A-Z ]*PRIMARY KEY/.exec(definition)?.[1] ?? ""];
    return [{ name, key: key.map((column) => column.trim()) }];
  });
}

const ROWS_READ_AT_ONCE = 500;

/** The rows of a table in the order of its key. */
async function* readRows(tx: Transaction, { name, key }: KeyedTable): AsyncGenerator<SqlRow> {
  const order = key.join(", ");
  let rows: readonly SqlRow[] = await tx.all(`SELECT * FROM ${name} ORDER BY ${order} LIMIT ?`, ROWS_READ_AT_ONCE);
  while (rows.length > 0) {
    yield* rows;
    const last = rows.at(-1);
    if (rows.length < ROWS_READ_AT_ONCE || last === undefined) return;
    const after = `SELECT * FROM ${name} WHERE (${order}) > (${key.map(() => "?").join(", ")}) ORDER BY ${order} LIMIT ?`;
    rows = await tx.all(after, ...key.map((column) => last[column] ?? null), ROWS_READ_AT_ONCE);
  }
}

/** Writes rows of one table as they are. */
async function insertRow(tx: Transaction, table: string, row: SqlRow): Promise<void> {
  const columns = Object.keys(row);
  const values: readonly SqlValue[] = Object.values(row);
  const marks = columns.map(() => "?").join(", ");
  await tx.run(`INSERT INTO ${table} (${columns.join(", ")}) VALUES (${marks})`, ...values);
}

/** Writes a row as it is; false, with nothing written, where a row with one of its keys is there. */
export async function insertOnce(tx: Transaction, table: string, row: SqlRow): Promise<boolean> {
  const marks = Object.keys(row).map(() => "?");
  const sql = `INSERT INTO ${table} (${Object.keys(row).join(", ")}) VALUES (${marks.join(", ")}) ON CONFLICT DO NOTHING`;
  return (await tx.run(sql, ...Object.values(row))) > 0;
}

/** Copies every row of every table. The target has none yet. */
export async function copyRows(from: Transaction, to: Transaction, migrations: readonly Migration[]): Promise<void> {
  for (const table of listKeyedTables(migrations)) {
    for await (const row of readRows(from, table)) await insertRow(to, table.name, row);
  }
}
