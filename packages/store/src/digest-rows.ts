import type { Transaction } from "./database.ts";
import { listKeyedTables, readRows } from "./keyed-tables.ts";
import type { Migration } from "./migrations.ts";

/** What a table holds: equal on every engine for equal rows. */
export interface TableDigest {
  readonly name: string;
  readonly rowCount: number;
  /** `sha256:` and hex, over the rows in the order of their key. */
  readonly digest: string;
}

/** Reads every row of every table. */
export async function digestRows(tx: Transaction, migrations: readonly Migration[]): Promise<readonly TableDigest[]> {
  // Loaded here because hot commands digest nothing.
  const { createHash } = await import("node:crypto");
  const digests: TableDigest[] = [];
  for (const table of listKeyedTables(migrations)) {
    const hash = createHash("sha256");
    let rowCount = 0;
    for await (const row of readRows(tx, table)) {
      const columns = Object.keys(row).toSorted();
      hash.update(`${JSON.stringify(columns.map((column) => [column, row[column]]))}\n`);
      rowCount += 1;
    }
    digests.push({ name: table.name, rowCount, digest: `sha256:${hash.digest("hex")}` });
  }
  return digests;
}
