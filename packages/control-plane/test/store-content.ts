import type { Database, SqlRow } from "@loopx/store";

/** Every row of a table. */
export async function rowsOf(database: Database, table: string, orderBy = "1, 2"): Promise<readonly SqlRow[]> {
  return database.read((tx) => tx.all(`SELECT * FROM ${table} ORDER BY ${orderBy}`));
}

/** Everything a store holds: what an operation that writes nothing must leave equal. */
export async function contentOf(database: Database): Promise<Readonly<Record<string, readonly SqlRow[]>>> {
  return database.read(async (tx) => {
    const tables = await tx.all<{ name: string }>("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name");
    const content: Record<string, readonly SqlRow[]> = {};
    for (const { name } of tables) content[name] = await tx.all(`SELECT * FROM ${name} ORDER BY 1, 2`);
    return content;
  });
}
