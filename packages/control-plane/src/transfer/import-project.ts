import { isLoopxError, parseStrictJson, refuse, type Instant, type Refusal } from "@loopx/contracts";
import type { Database, SqlValue, Transaction } from "@loopx/store";
import { decodeRow } from "../events/entity-table.ts";
import { saveGateTargets } from "../gates/gate-target-rows.ts";
import { mayEndLease } from "../todos/todo.ts";
import { TODOS } from "../todos/todo-rows.ts";
import { EXPORT_SCHEMA } from "./export-project.ts";
import { EXPORTED_TABLES, TABLE_SHAPES, type ExportedTable } from "./exported-tables.ts";
import { findCyclicRow } from "./find-cyclic-row.ts";
import { findDangling } from "./find-dangling.ts";
import { findUnfitColumn } from "./find-unfit-column.ts";

export interface ImportedProject {
  readonly ok: true;
  readonly rows: number;
  readonly goalIds: readonly string[];
}

/**
 * Reads a whole export into a project, in one transaction: all of it or nothing.
 *
 * Refuses with `import_invalid` (truncated, damaged, masked, another schema, or a row that no write of our own could have
 * left) naming the line and, where there is one, the column, and `goal_id_taken` when
 * the project has one of its goals. With `isDryRun` everything is checked and nothing stays written.
 */
export async function importProject(
  database: Database,
  lines: readonly string[],
  options: { readonly isDryRun: boolean; readonly now: Instant },
): Promise<ImportedProject | Refusal> {
  const parsed = parseExport(lines);
  if (!parsed.ok) return parsed;
  const goalIds = parsed.rows.filter(({ table }) => table === "goals").map(({ row }) => String(row["goal_id"]));
  const misfit = checkRows(parsed.rows, new Set(goalIds)) ?? checkLeases(parsed.rows, options.now);
  if (misfit !== undefined) return misfit;
  const checkGoals = async (tx: Transaction): Promise<ImportedProject | Refusal> => {
    for (const goalId of goalIds) {
      const taken = await tx.get("SELECT goal_id FROM goals WHERE goal_id = ?", goalId);
      if (taken !== undefined) return refuseTaken(goalId);
    }
    return { ok: true, rows: parsed.rows.length, goalIds };
  };
  return options.isDryRun ? database.read(checkGoals) : insertRows(database, parsed.rows, checkGoals);
}

async function insertRows(
  database: Database,
  rows: readonly ImportRow[],
  checkGoals: (tx: Transaction) => Promise<ImportedProject | Refusal>,
): Promise<ImportedProject | Refusal> {
  let line = 0;
  try {
    return await database.write(async (tx) => {
      const checked = await checkGoals(tx);
      if (!checked.ok) return checked;
      for (const entry of rows) {
        line = entry.line;
        await insertRow(tx, entry);
      }
      line = 0;
      return checked;
    });
  } catch (error) {
    // A rule of the schema that the row breaks. All else that can go wrong has a code of its own.
    if (line === 0 || !isLoopxError(error) || error.code !== "store_failed") throw error;
    return refuseLine(line, "the row does not fit the others");
  }
}

function refuseTaken(goalId: string): Refusal {
  return refuse("goal_id_taken", {
    message: "the project has this goal already; nothing was imported",
    hint: "import it into a project without this goal: loopx bootstrap in a folder of its own, then import there",
    details: { goal_id: goalId },
  });
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

function refuseLine(line: number, why: string, column?: string): Refusal {
  return refuse("import_invalid", {
    message: `line ${line}: ${why}; nothing was imported`,
    hint: "export again from the source: loopx export --output=FILE",
    details: column === undefined ? { line } : { line, column },
  });
}

/**
 * What can be known of the rows without a store: each is whole, as a write of our own would have left it, the only one of
 * its key and of a goal of the file, what it names is there, and none waits for itself.
 */
function checkRows(rows: readonly ImportRow[], goalIds: ReadonlySet<string>): Refusal | undefined {
  const keys = new Set<string>();
  for (const { line, table, row } of rows) {
    const { columns, key } = TABLE_SHAPES[table];
    if (Object.keys(row).some((column) => !columns.includes(column))) {
      return refuseLine(line, `table ${table} has no such column`);
    }
    const missing = columns.find((column) => row[column] === undefined);
    if (missing !== undefined) return refuseLine(line, `column ${missing} is missing`, missing);
    const unfit = findUnfitColumn(table, row);
    if (unfit !== undefined) return refuseLine(line, `column ${unfit} holds what it cannot hold`, unfit);
    if (!goalIds.has(String(row["goal_id"]))) {
      return refuseLine(line, "the row is of a goal that the file does not hold", "goal_id");
    }
    const identity = JSON.stringify([table, ...key.map((column) => row[column])]);
    if (keys.has(identity)) return refuseLine(line, "the row is there twice");
    keys.add(identity);
  }
  const dangling = findDangling(rows);
  if (dangling !== undefined) {
    const { line, column } = dangling;
    return refuseLine(line, `column ${column} does not agree with the file's other rows`, column);
  }
  const cyclic = findCyclicRow(rows);
  if (cyclic === undefined) return undefined;
  return refuseLine(cyclic.line, `by column ${cyclic.column} the todo waits for itself`, cyclic.column);
}

/** A lease that ends later than any that is given would hold its todo or lane for as long as the file says. */
function checkLeases(rows: readonly ImportRow[], now: Instant): Refusal | undefined {
  for (const { line, table, row } of rows) {
    const column = table === "todos" ? "claim_expires_at" : "lease_expires_at";
    const isLease = table === "todos" || (table === "turns" && row["state"] === "open");
    const until = row[column];
    if (isLease && typeof until === "string" && !mayEndLease(until as Instant, now)) {
      return refuseLine(line, `column ${column} is further ahead than any lease`, column);
    }
  }
  return undefined;
}

async function insertRow(tx: Transaction, { table, row }: ImportRow): Promise<void> {
  const names = Object.keys(row);
  const marks = names.map(() => "?").join(", ");
  const values = names.map((name) => row[name] ?? null);
  await tx.run(`INSERT INTO ${table} (${names.join(", ")}) VALUES (${marks})`, ...values);
  if (table !== "todos") return;
  const { gate, ...todo } = decodeRow(TODOS, row);
  if (gate !== null) await saveGateTargets(tx, { ...todo, gate }, true);
}
