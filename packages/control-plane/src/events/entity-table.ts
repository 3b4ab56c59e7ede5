import { LoopxError } from "@loopx/contracts";
import type { SqlRow, SqlValue, Transaction } from "@loopx/store";
import type { ColumnRule, RulesOf } from "./column-rule.ts";

/** How one entity lies in its table: the columns are the entity's own fields. */
export interface EntityTable<Entity extends object> {
  readonly name: string;
  readonly key: readonly (keyof Entity & string)[];
  /**
   * In the order of the table, each with what the code that reads a row relies on. Cheap: the rows of every command are
   * held against it. What commands accept is stricter; import asks for that.
   */
  readonly columns: RulesOf<Entity>;
  /** Columns whose value is a structure, stored as JSON text. */
  readonly json: readonly (keyof Entity & string)[];
  /** Columns whose value is true or false, stored as 1 or 0. */
  readonly flags: readonly (keyof Entity & string)[];
}

export function listColumns<Entity extends object>(table: EntityTable<Entity>): readonly (keyof Entity & string)[] {
  const known = columnsOf.get(table.columns) as (keyof Entity & string)[] | undefined;
  if (known !== undefined) return known;
  const columns = Object.keys(table.columns) as (keyof Entity & string)[];
  columnsOf.set(table.columns, columns);
  return columns;
}

/** Asked for every row that is read. */
const columnsOf = new WeakMap<object, readonly string[]>();

/** Inserts the entity or replaces the row that has its key. */
export async function saveEntity<Entity extends object>(
  tx: Transaction,
  table: EntityTable<Entity>,
  entity: Entity,
): Promise<void> {
  const columns = listColumns(table);
  const marks = columns.map(() => "?").join(", ");
  const updates = columns
    .filter((column) => !table.key.includes(column))
    .map((column) => `${column} = excluded.${column}`)
    .join(", ");
  const sql =
    `INSERT INTO ${table.name} (${columns.join(", ")}) VALUES (${marks}) ` +
    `ON CONFLICT (${table.key.join(", ")}) DO UPDATE SET ${updates}`;
  await tx.run(sql, ...encodeRow(table, entity));
}

/** The entity of a full row of its table. Refuses what no command of ours can have left there with `store_corrupt`. */
export function decodeRow<Entity extends object>(table: EntityTable<Entity>, row: SqlRow): Entity {
  const entity: Partial<Record<keyof Entity & string, unknown>> = {};
  for (const column of listColumns(table)) entity[column] = decodeColumn(table, column, row[column] ?? null);
  return entity as Entity;
}

/** The fields of a row that holds some columns of the table, and others that are not of the table. */
export function decodePart<Entity extends object, Row extends object>(table: EntityTable<Entity>, row: Row): Row {
  const stored = row as Readonly<Record<string, SqlValue>>;
  const decoded: Record<string, unknown> = { ...stored };
  for (const column of listColumns(table)) {
    if (column in stored) decoded[column] = decodeColumn(table, column, stored[column] ?? null);
  }
  return decoded as Row;
}

function decodeColumn<Entity extends object>(
  table: EntityTable<Entity>,
  column: keyof Entity & string,
  stored: SqlValue,
): unknown {
  const value = stored !== null && table.json.includes(column) ? parseStoredJson(stored) : stored;
  if (!table.columns[column](value)) throw toCorruptError(table.name, column);
  return table.flags.includes(column) ? value === 1 : value;
}

/** The value of a column of JSON text; undefined, which no rule takes, for what is none. */
export function parseStoredJson(stored: SqlValue | undefined): unknown {
  if (typeof stored !== "string") return undefined;
  try {
    return JSON.parse(stored) as unknown;
  } catch {
    return undefined;
  }
}

/** The value, if the rule takes it; else `store_corrupt`. For what is read otherwise than by the row of an entity. */
export function takeStored<Value>(value: Value, rule: ColumnRule, place: { table: string; column: string }): Value {
  if (rule(value)) return value;
  throw toCorruptError(place.table, place.column);
}

function toCorruptError(table: string, column: string): LoopxError {
  return new LoopxError("store_corrupt", {
    message: `the project's store .loopx/state.db is damaged: a row of ${table} holds in ${column} what LoopX never writes; it was left as it is`,
    hint: "loopx restore --execute",
    details: { table, column },
  });
}

/** What the columns hold of an entity, in the order of the table. */
function encodeRow<Entity extends object>(table: EntityTable<Entity>, entity: Entity): SqlValue[] {
  return listColumns(table).map((column) => {
    const value: unknown = entity[column];
    if (value === null || value === undefined) return null;
    if (table.json.includes(column)) return JSON.stringify(value);
    if (table.flags.includes(column)) return value === true ? 1 : 0;
    return value as SqlValue;
  });
}

/** The entity's row. */
export function toRow<Entity extends object>(table: EntityTable<Entity>, entity: Entity): SqlRow {
  const values = encodeRow(table, entity);
  return Object.fromEntries(listColumns(table).map((column, index) => [column, values[index] ?? null]));
}

/** `SELECT` of every column of the table, up to its `WHERE`. */
export function selectFrom<Entity extends object>(table: EntityTable<Entity>): string {
  return `SELECT ${listColumns(table).join(", ")} FROM ${table.name}`;
}
