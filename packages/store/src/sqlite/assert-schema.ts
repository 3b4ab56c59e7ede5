import type { Migration } from "../migrations.ts";
import { listDefinitions, MIGRATIONS_TABLE } from "../schema-definitions.ts";
import { toForeignDatabaseError, toForeignSchemaError } from "../schema-errors.ts";

/** Every definition in a store, but for the indexes that the engine makes itself, which have no text. */
export const SELECT_SCHEMA = "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL";

/** The same as one value: a store as it was created is told from it alone, and not even its rows are made. */
export const SELECT_SCHEMA_TEXT = `SELECT group_concat(sql, ';\n') AS texts FROM sqlite_schema WHERE sql IS NOT NULL`;

/** A definition as a driver gives it. */
type SchemaRow = Readonly<Record<string, unknown>>;

/** Checks that what lists a store's migrations is the table that LoopX makes for them. Refuses with `store_corrupt`. */
export function assertMigrationsTable(rows: readonly SchemaRow[], storeLabel: string): void {
  if (!rows.some((row) => row["sql"] === MIGRATIONS_TABLE)) throw toForeignDatabaseError(storeLabel);
}

/**
 * Checks that a store defines what the migrations make, word for word, and nothing else.
 *
 * A store may come with a clone. A view in a table's place, a trigger, a generated column or an index over an expression
 * is code that runs with our statements; so nothing but its list of migrations is asked of a store before this.
 * Refuses with `store_corrupt`.
 */
export function assertSchema(rows: readonly SchemaRow[], migrations: readonly Migration[], storeLabel: string): void {
  const missing = new Set(listDefinitions(migrations));
  const foreign = rows.filter((row) => !missing.delete(String(row["sql"])));
  if (foreign.length > 0 || missing.size > 0) throw toForeignSchemaError(storeLabel);
}

/**
 * Whether the text of a store's definitions is that of the migrations as they were made, one after another.
 *
 * A store that was packed has them in another order: then it says nothing, and the rows have to be asked.
 */
export function isAsCreated(texts: unknown, migrations: readonly Migration[]): boolean {
  const known = createdTexts.get(migrations);
  const expected = known ?? [MIGRATIONS_TABLE, ...migrations.map(({ sql }) => sql.trim())].join(";\n");
  if (known === undefined) createdTexts.set(migrations, expected);
  return texts === expected;
}

/** A view over all projects opens hundreds of stores with the same migrations. */
const createdTexts = new WeakMap<readonly Migration[], string>();
