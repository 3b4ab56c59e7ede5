import type { SqlRow, SqlValue, Transaction } from "@loopx/store";

/** How one entity lies in its table: the columns are the entity's own fields. */
export interface EntityTable<Entity extends object> {
  readonly name: string;
  readonly key: readonly (keyof Entity & string)[];
  readonly columns: readonly (keyof Entity & string)[];
  /** Columns whose value is a structure, stored as JSON text. */
  readonly json: readonly (keyof Entity & string)[];
  /** Columns whose value is true or false, stored as 1 or 0. */
  readonly flags: readonly (keyof Entity & string)[];
}

/** Inserts the entity or replaces the row that has its key. */
export async function saveEntity<Entity extends object>(
  tx: Transaction,
  table: EntityTable<Entity>,
  entity: Entity,
): Promise<void> {
  const marks = table.columns.map(() => "?").join(", ");
  const updates = table.columns
    .filter((column) => !table.key.includes(column))
    .map((column) => `${column} = excluded.${column}`)
    .join(", ");
  const sql =
    `INSERT INTO ${table.name} (${table.columns.join(", ")}) VALUES (${marks}) ` +
    `ON CONFLICT (${table.key.join(", ")}) DO UPDATE SET ${updates}`;
  await tx.run(sql, ...encodeRow(table, entity));
}

/** The entity of a full row of its table. */
export function decodeRow<Entity extends object>(table: EntityTable<Entity>, row: SqlRow): Entity {
  const entity: Record<string, unknown> = {};
  for (const column of table.columns) {
    const value = row[column] ?? null;
    if (value !== null && table.json.includes(column)) entity[column] = JSON.parse(String(value));
    else if (table.flags.includes(column)) entity[column] = value === 1;
    else entity[column] = value;
  }
  return entity as Entity;
}

function encodeRow<Entity extends object>(table: EntityTable<Entity>, entity: Entity): SqlValue[] {
  return table.columns.map((column) => {
    const value: unknown = entity[column];
    if (value === null || value === undefined) return null;
    if (table.json.includes(column)) return JSON.stringify(value);
    if (table.flags.includes(column)) return value === true ? 1 : 0;
    return value as SqlValue;
  });
}

/** `SELECT` of every column of the table, up to its `WHERE`. */
export function selectFrom<Entity extends object>(table: EntityTable<Entity>): string {
  return `SELECT ${table.columns.join(", ")} FROM ${table.name}`;
}
