import { toPostgresDefinition } from "./postgres-definitions.ts";

/**
 * What definitions make in PostgreSQL's catalogs, a line for each table, column and index, as `SELECT_CATALOG` says them.
 *
 * The server keeps no text of a definition, and renders it as its version does: so it is compared by its parts.
 */
export function describeDefinitions(definitions: readonly string[]): readonly string[] {
  return definitions.flatMap((definition) => {
    const table = TABLE.exec(definition)?.groups;
    if (table !== undefined) return describeTable(table["name"] ?? "", table["body"] ?? "");
    const index = INDEX.exec(definition)?.groups;
    return index === undefined ? [] : [describeIndex(index)];
  });
}

const TABLE = /^CREATE TABLE (?<name>\w+) \((?<body>[\s\S]*)\)(?: WITHOUT ROWID)?$/;
const INDEX =
  /^CREATE (?<unique>UNIQUE )?INDEX (?<name>\w+) ON (?<table>\w+) \((?<keys>.*?)\)(?<where>\s+WHERE [\s\S]*)?$/;
const UNIQUE = /^(?:(?<column>[a-z]\w*) .*\bUNIQUE\b|UNIQUE \((?<columns>.*)\)$)/;
const COLUMN = /^(?<name>[a-z]\w*) (?<type>TEXT|INTEGER|BIGINT|DOUBLE PRECISION)(?<rest>[\s\S]*)$/;

function describeTable(table: string, body: string): readonly string[] {
  const columns = splitList(body).flatMap((part) => {
    const column = COLUMN.exec(part)?.groups;
    if (column === undefined) return [];
    const { name = "", type = "", rest = "" } = column;
    const isRequired = /NOT NULL|PRIMARY KEY/.test(rest);
    const shown = toPostgresDefinition(type).toLowerCase().replaceAll('"', "");
    return [`column ${table}.${name} ${shown}${isRequired ? " required" : ""}`];
  });
  const constraints = splitList(body).flatMap((part) => {
    const unique = UNIQUE.exec(part)?.groups;
    return unique === undefined ? [] : [describeUnique(table, unique["column"] ?? unique["columns"] ?? "")];
  });
  return [`table ${table}`, ...columns, ...constraints];
}

/** The index that holds it, by the name that the server gives it. */
function describeUnique(table: string, columns: string): string {
  const names = splitList(columns);
  return `unique index ${table}_${names.join("_")}_key on ${table} by ${names.length}`;
}

function describeIndex({ unique, name, table, keys, where }: Readonly<Record<string, string | undefined>>): string {
  const kind = `${unique === undefined ? "" : "unique "}index`;
  return `${kind} ${name} on ${table} by ${splitList(keys ?? "").length}${where === undefined ? "" : " in part"}`;
}

/** At the commas that stand in no brackets. */
function splitList(list: string): readonly string[] {
  return list.split(/,(?![^(]*\))/).map((part) => part.trim());
}

/**
 * The same of what a schema holds, and a line for whatever LoopX never makes there: views, triggers, rules, policies,
 * functions, operators, generated columns, checks, and what depends on a function that isn't the server's own.
 */
export const SELECT_CATALOG = `
WITH ours AS (SELECT oid, relname, relkind FROM pg_class WHERE relnamespace = $1::oid AND relkind NOT IN ('i', 'S'))
SELECT CASE WHEN relkind = 'r' THEN 'table ' ELSE 'foreign relation ' END || relname AS line FROM ours
UNION ALL
SELECT CASE WHEN attgenerated = '' THEN 'column ' ELSE 'generated column ' END || relname || '.' || attname || ' ' ||
    format_type(atttypid, atttypmod) || CASE WHEN collname IS NULL THEN '' ELSE ' collate ' || lower(collname) END ||
    CASE WHEN attnotnull THEN ' required' ELSE '' END
  FROM ours JOIN pg_attribute ON attrelid = ours.oid LEFT JOIN pg_collation ON pg_collation.oid = attcollation
  WHERE attnum > 0 AND NOT attisdropped
UNION ALL
SELECT CASE WHEN indisunique THEN 'unique ' ELSE '' END || 'index ' || indexed.relname || ' on ' || ours.relname ||
    ' by ' || indnkeyatts || CASE WHEN indpred IS NULL THEN '' ELSE ' in part' END
  FROM ours JOIN pg_index ON indrelid = ours.oid JOIN pg_class indexed ON indexed.oid = indexrelid
  WHERE NOT EXISTS (SELECT 1 FROM pg_constraint WHERE conindid = indexrelid AND contype = 'p')
UNION ALL
SELECT 'constraint ' || conname FROM pg_constraint WHERE connamespace = $1::oid AND contype NOT IN ('p', 'f', 'n', 'u')
UNION ALL
SELECT 'trigger ' || tgname FROM ours JOIN pg_trigger ON tgrelid = ours.oid WHERE NOT tgisinternal
UNION ALL
SELECT 'rule ' || rulename FROM ours JOIN pg_rewrite ON ev_class = ours.oid
UNION ALL
SELECT 'policy ' || polname FROM ours JOIN pg_policy ON polrelid = ours.oid
UNION ALL
SELECT 'function ' || proname FROM pg_proc WHERE pronamespace = $1::oid
UNION ALL
SELECT 'operator ' || oprname FROM pg_operator WHERE oprnamespace = $1::oid
UNION ALL
SELECT 'type ' || typname FROM pg_type WHERE typnamespace = $1::oid AND typrelid = 0 AND typelem = 0
UNION ALL
SELECT 'code behind ' || relname FROM pg_class JOIN pg_depend ON objid = pg_class.oid AND classid = 'pg_class'::regclass
  WHERE relnamespace = $1::oid AND refclassid = 'pg_proc'::regclass
UNION ALL
SELECT 'code behind a default of ' || relname FROM ours JOIN pg_attrdef ON adrelid = ours.oid
  JOIN pg_depend ON objid = pg_attrdef.oid AND classid = 'pg_attrdef'::regclass WHERE refclassid = 'pg_proc'::regclass`;
