import type { SqlRow } from "../../database.ts";
import type { Migration } from "../../migrations.ts";
import { describeTables, findRowOfTable, type DescribedTable } from "./described-table.ts";
import { findTreePage, listFreePages, readPageFile, type PageFile } from "./page-file.ts";
import { findRow, type RawRow } from "./read-record.ts";

/** What could be read of a store's file. */
export interface SalvagedRows {
  /** The rows of each table of the schema, in the order of their pages. */
  readonly tables: ReadonlyMap<string, readonly SqlRow[]>;
  /** Tables of which something could not be read, or was read from a page that nothing leads to. */
  readonly damagedTables: ReadonlySet<string>;
  readonly lostPageCount: number;
  /** Rows in pages that can be read, damaged by themselves. */
  readonly lostRowCount: number;
}

/** Whether a row of the columns of a table is one that a write of ours can have left there. */
export type MayBeRow = (table: string, row: SqlRow) => boolean;

/**
 * Reads the rows of a SQLite file by its pages, without the engine: a page that is damaged costs what it holds, and nothing
 * of the file is carried out. Pages that nothing leads to any more are given to the one table whose rows they can hold.
 *
 * The file has to be at rest: what a journal or a log beside it says is not looked at.
 */
export function salvageRows(path: string, migrations: readonly Migration[], mayBeRow: MayBeRow): SalvagedRows {
  const file = readPageFile(path);
  const tables = describeTables(migrations);
  const salvage = new Salvage(file, tables, mayBeRow);
  const roots = findRoots(file);
  for (const table of tables) salvage.walk(table, roots.get(table.name));
  salvage.sweep();
  return salvage;
}

/** The first page of each table, by the engine's own table on page 1 and below. */
function findRoots(file: PageFile): ReadonlyMap<string, number> {
  const roots = new Map<string, number>();
  visit(file, 1, new Set(), {
    reportLost: () => undefined,
    takeLeaf: (rows) => {
      for (const { values } of rows.filter((row) => row !== undefined)) {
        const [type, name, , root] = values;
        if (type === "table" && typeof name === "string" && typeof root === "number") roots.set(name, root);
      }
      return true;
    },
  });
  return roots;
}

interface Visitor {
  /** The rows of a leaf, undefined for each that is damaged; false where the leaf is another table's. */
  takeLeaf(rows: readonly (RawRow | undefined)[]): boolean;
  /** A page that should be there, and is none of rows. */
  reportLost(): void;
}

/** Visits every leaf below a page. */
function visit(file: PageFile, number: number, seen: Set<number>, visitor: Visitor): void {
  const page = seen.has(number) ? undefined : findTreePage(file, number);
  if (page === undefined) {
    visitor.reportLost();
    return;
  }
  seen.add(number);
  if (page.kind === "leaf") {
    if (visitor.takeLeaf(page.cellOffsets.map((offset) => findRow(file, page, offset)))) return;
    seen.delete(number);
    visitor.reportLost();
    return;
  }
  for (const offset of page.cellOffsets) {
    const child = offset + 4 <= page.bytes.length ? page.bytes.readUInt32BE(offset) : 0;
    visit(file, child, seen, visitor);
  }
  visit(file, page.lastChild, seen, visitor);
}

class Salvage implements SalvagedRows {
  readonly tables = new Map<string, SqlRow[]>();
  readonly damagedTables = new Set<string>();
  lostPageCount = 0;
  lostRowCount = 0;
  readonly #file: PageFile;
  readonly #described: readonly DescribedTable[];
  readonly #mayBeRow: MayBeRow;
  readonly #seen = new Set<number>([1]);

  constructor(file: PageFile, described: readonly DescribedTable[], mayBeRow: MayBeRow) {
    this.#file = file;
    this.#described = described;
    this.#mayBeRow = mayBeRow;
  }

  walk(table: DescribedTable, root: number | undefined): void {
    const rows: SqlRow[] = [];
    this.tables.set(table.name, rows);
    if (root === undefined) {
      this.damagedTables.add(table.name);
      return;
    }
    visit(this.#file, root, this.#seen, {
      reportLost: () => {
        this.lostPageCount += 1;
        this.damagedTables.add(table.name);
      },
      takeLeaf: (raws) => {
        const fitting = raws.map((raw) => raw && this.#findRow(table, raw)).filter((row) => row !== undefined);
        if (fitting.length === 0 && raws.length > 0) return false;
        rows.push(...fitting);
        this.lostRowCount += raws.length - fitting.length;
        if (fitting.length < raws.length) this.damagedTables.add(table.name);
        return true;
      },
    });
  }

  #findRow(table: DescribedTable, raw: RawRow): SqlRow | undefined {
    const row = findRowOfTable(table, raw);
    return row !== undefined && this.#mayBeRow(table.name, row) ? row : undefined;
  }

  /** Pages of rows that no tree leads to, and that are not free. */
  sweep(): void {
    if (this.damagedTables.size === 0) return;
    const free = listFreePages(this.#file);
    for (let number = 2; number <= this.#file.pageCount; number += 1) {
      if (this.#seen.has(number) || free.has(number)) continue;
      const page = findTreePage(this.#file, number);
      if (page?.kind !== "leaf") continue;
      for (const offset of page.cellOffsets) this.#takeStray(findRow(this.#file, page, offset));
    }
  }

  /** Only a table of which something is missing can miss it. */
  #takeStray(raw: RawRow | undefined): void {
    if (raw === undefined) return;
    const fitting = this.#described
      .filter(({ name }) => this.damagedTables.has(name))
      .flatMap((table) => {
        const row = this.#findRow(table, raw);
        return row === undefined ? [] : [{ name: table.name, row }];
      });
    const [only, ...others] = fitting;
    if (only !== undefined && others.length === 0) this.tables.get(only.name)?.push(only.row);
  }
}
