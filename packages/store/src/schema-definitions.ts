import { MIGRATIONS_TABLE_SQL, type Migration } from "./migrations.ts";

export const MIGRATIONS_TABLE = MIGRATIONS_TABLE_SQL.replace(" IF NOT EXISTS", "");

const DEFINED = /^CREATE (?:UNIQUE )?(?:TABLE|INDEX) \w+/;

/** What a store with these migrations defines, as statements: each table as it is after the last of them. */
export function listDefinitions(migrations: readonly Migration[]): readonly string[] {
  const definitions = new Map<string, string>();
  for (const definition of [MIGRATIONS_TABLE, ...migrations.flatMap(listStatements)]) {
    const defined = DEFINED.exec(definition)?.[0];
    if (defined !== undefined) definitions.set(defined, definition);
  }
  return [...definitions.values()];
}

function listStatements({ sql, redefines = [] }: Migration): readonly string[] {
  return [...sql.split(";").map((statement) => statement.trim()), ...redefines];
}
