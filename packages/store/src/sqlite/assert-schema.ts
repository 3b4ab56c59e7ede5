import { MIGRATIONS_TABLE_SQL, type Migration } from "../migrations.ts";
import { toForeignDatabaseError, toForeignSchemaError } from "./schema-errors.ts";

/** Every definition in a store, but for the indexes that the engine makes itself, which have no text. */
export const SELECT_SCHEMA = "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL";

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
  if (isAsCreated(rows, migrations)) return;
  const missing = new Set(toSchema(migrations));
  const foreign = rows.filter((row) => !missing.delete(String(row["sql"])));
  if (foreign.length > 0 || missing.size > 0) throw toForeignSchemaError(storeLabel);
}

const MIGRATIONS_TABLE = MIGRATIONS_TABLE_SQL.replace(" IF NOT EXISTS", "");
/** A store that was never packed has its definitions in the order of the texts: telling so takes no time worth counting. */
function isAsCreated(rows: readonly SchemaRow[], migrations: readonly Migration[]): boolean {
  const texts = [MIGRATIONS_TABLE, ...migrations.map(({ sql }) => sql.trim())];
  return rows.map((row) => row["sql"]).join(";\n") === texts.join(";\n");
}

const DEFINED = /^CREATE (?:UNIQUE )?(?:TABLE|INDEX) \w+/;

/** The definitions as the engine keeps them: the text of a statement as it was written. */
function toSchema(migrations: readonly Migration[]): Iterable<string> {
  const definitions = new Map<string, string>();
  for (const definition of [MIGRATIONS_TABLE, ...migrations.flatMap(listDefinitions)]) {
    const defined = DEFINED.exec(definition)?.[0];
    if (defined !== undefined) definitions.set(defined, definition);
  }
  return definitions.values();
}

function listDefinitions({ sql, redefines = [] }: Migration): readonly string[] {
  return [...sql.split(";").map((statement) => statement.trim()), ...redefines];
}
