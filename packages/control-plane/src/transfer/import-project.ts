import { parseStrictJson, refuse, type Refusal } from "@loopx/contracts";
import type { Database, SqlValue, Transaction } from "@loopx/store";
import { EXPORT_SCHEMA, EXPORTED_TABLES, type ExportedTable } from "./export-project.ts";

export interface ImportedProject {
  readonly ok: true;
  readonly rows: number;
  readonly goalIds: readonly string[];
}

/**
 * Reads a whole export into a project, in one transaction: all of it or nothing.
 *
 * Refuses with `import_invalid` (truncated, damaged, masked, another schema) naming the line, and `goal_id_taken` when
 * the project has one of its goals. With `isDryRun` everything is checked and nothing stays written.
 */
export async function importProject(
  database: Database,
  lines: readonly string[],
  options: { readonly isDryRun: boolean },
): Promise<ImportedProject | Refusal> {
  const parsed = parseExport(lines);
  if (!parsed.ok) return parsed;
  const columns = await database.read(listColumns);
  for (const { line, table, row } of parsed.rows) {
    const unknown = Object.keys(row).find((column) => columns.get(table)?.has(column) !== true);
    if (unknown !== undefined) return refuseLine(line, `table ${table} has no such column`);
  }
  const goalIds = parsed.rows.filter(({ table }) => table === "goals").map(({ row }) => String(row["goal_id"]));
  const work = async (tx: Transaction): Promise<ImportedProject | Refusal> => {
    for (const goalId of goalIds) {
      const taken = await tx.get("SELECT goal_id FROM goals WHERE goal_id = ?", goalId);
      if (taken !== undefined) {
        return refuse("goal_id_taken", {
          message: "the project has this goal already; nothing was imported",
          details: { goal_id: goalId },
        });
      }
    }
    if (!options.isDryRun) for (const entry of parsed.rows) await insertRow(tx, entry);
    return { ok: true, rows: parsed.rows.length, goalIds };
  };
  return options.isDryRun ? database.read(work) : database.write(work);
}

interface ImportRow {
  readonly line: number;
  readonly table: ExportedTable;
  readonly row: Readonly<Record<string, SqlValue>>;
}

function parseExport(lines: readonly string[]): { ok: true; rows: readonly ImportRow[] } | Refusal {
  const rows: ImportRow[] = [];
  let hasEnd = false;
  for (const [index, text] of lines.entries()) {
    const line = index + 1;
    if (/^(<{7}|={7}|>{7})/.test(text)) return refuseLine(line, "a conflict marker stands here");
    if (text === "" && line === lines.length) continue;
    if (hasEnd) return refuseLine(line, "there is more after the end line");
    const value = readLine(text);
    if (value === undefined) return refuseLine(line, "the line is not one JSON object");
    if (line === 1) {
      const refused = checkHead(value);
      if (refused !== undefined) return refused;
    } else if (value["end"] === true) {
      if (value["rows"] !== rows.length) return refuseLine(line, "the number of rows does not match");
      hasEnd = true;
    } else {
      const row = readRow(value, line);
      if (row === undefined) return refuseLine(line, "the line is not a row of a known table");
      rows.push(row);
    }
  }
  return hasEnd ? { ok: true, rows } : refuseLine(lines.length, "the end line is missing: the file is cut off");
}

function readLine(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = parseStrictJson(text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

function checkHead(head: Readonly<Record<string, unknown>>): Refusal | undefined {
  if (head["schema_version"] !== EXPORT_SCHEMA) {
    return refuseLine(1, `the file is not a ${EXPORT_SCHEMA} or was written by a newer LoopX`);
  }
  if (head["public"] === true) return refuseLine(1, "a public export is masked and cannot be imported");
  return undefined;
}

function readRow(value: Readonly<Record<string, unknown>>, line: number): ImportRow | undefined {
  const { table, row } = value as { table?: unknown; row?: unknown };
  if (typeof table !== "string" || !(EXPORTED_TABLES as readonly string[]).includes(table)) return undefined;
  if (typeof row !== "object" || row === null || Array.isArray(row)) return undefined;
  const isFlat = Object.values(row).every(
    (cell) => cell === null || typeof cell === "string" || (typeof cell === "number" && Number.isSafeInteger(cell)),
  );
  return isFlat ? { line, table: table as ExportedTable, row: row as Record<string, SqlValue> } : undefined;
}

function refuseLine(line: number, why: string): Refusal {
  return refuse("import_invalid", {
    message: `line ${line}: ${why}; nothing was imported`,
    hint: "export again from the source: loopx export --output=FILE",
    details: { line },
  });
}

/** Column names of each table, so that only names of ours ever reach a statement. */
async function listColumns(tx: Transaction): Promise<ReadonlyMap<ExportedTable, ReadonlySet<string>>> {
  const columns = new Map<ExportedTable, ReadonlySet<string>>();
  for (const table of EXPORTED_TABLES) {
    const rows = await tx.all<{ name: string }>(`SELECT name FROM pragma_table_info('${table}')`);
    columns.set(table, new Set(rows.map((row) => row.name)));
  }
  return columns;
}

async function insertRow(tx: Transaction, { table, row }: ImportRow): Promise<void> {
  const names = Object.keys(row);
  const marks = names.map(() => "?").join(", ");
  const values = names.map((name) => row[name] ?? null);
  await tx.run(`INSERT INTO ${table} (${names.join(", ")}) VALUES (${marks})`, ...values);
}
