import type { SqlValue, Transaction } from "@loopx/store";

/** Engines take thousands of parameters at once; a few hundred rows make the way to a server short enough. */
const ROWS_AT_ONCE = 100;

/** Inserts rows into `table (column, …)`, many with one statement: on a server each is a way there and back. */
export async function insertRows(
  tx: Transaction,
  target: string,
  rows: readonly (readonly SqlValue[])[],
): Promise<void> {
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
    const some = rows.slice(from, from + ROWS_AT_ONCE);
    const marks = some.map((row) => `(${row.map(() => "?").join(", ")})`);
    await tx.run(`INSERT INTO ${target} VALUES ${marks.join(", ")}`, ...some.flat());
  }
}
