import type { SqlRow, SqlValue } from "../../database.ts";
import { MIGRATIONS_TABLE_SQL, type Migration } from "../../migrations.ts";
import { loadSqliteDriver } from "../load-sqlite-driver.ts";
import type { RawRow } from "./read-record.ts";

/** A table as the migrations make it. */
export interface DescribedTable {
  readonly name: string;
  readonly columns: readonly DescribedColumn[];
}

interface DescribedColumn {
  readonly name: string;
  readonly isText: boolean;
  readonly mayBeNull: boolean;
  /** The engine keeps no value of it: it is the number of the row. */
  readonly isRowId: boolean;
}

/** The tables of a schema whose rows lie in trees of rows. One without row numbers repeats what others say. */
export function describeTables(migrations: readonly Migration[]): readonly DescribedTable[] {
  const connection = loadSqliteDriver().open(":memory:", { readonly: false });
  try {
    for (const sql of [MIGRATIONS_TABLE_SQL, ...migrations.map((migration) => migration.sql)]) connection.exec(sql);
    const tables = connection.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'table'").all([]);
    return tables
      .filter(({ sql }) => !String(sql).endsWith("WITHOUT ROWID"))
      .map(({ name }) => ({
        name: String(name),
        columns: connection
          .prepare(`PRAGMA table_info(${String(name)})`)
          .all([])
          .map(toColumn),
      }));
  } finally {
    connection.close();
  }
}

function toColumn(info: Readonly<Record<string, unknown>>): DescribedColumn {
  const isKey = Number(info["pk"]) > 0;
  return {
    name: String(info["name"]),
    isText: info["type"] === "TEXT",
    mayBeNull: Number(info["notnull"]) === 0 && !isKey,
    isRowId: isKey && info["type"] === "INTEGER",
  };
}

/** The row by its columns, if it is of this table by the number and kinds of its values. A column that was added later may be missing. */
export function findRowOfTable({ columns }: DescribedTable, { rowId, values }: RawRow): SqlRow | undefined {
  if (values.length > columns.length) return undefined;
  const row: Record<string, SqlValue> = {};
  for (const [index, column] of columns.entries()) {
    const value = column.isRowId ? (values[index] ?? rowId) : (values[index] ?? null);
    const isFit = value === null ? column.mayBeNull : (typeof value === "string") === column.isText;
    if (!isFit || (column.isRowId && value !== rowId)) return undefined;
    row[column.name] = value;
  }
  return row;
}
