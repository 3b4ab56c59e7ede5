import { createRequire } from "node:module";

export interface WritableDatabase {
  exec(sql: string): unknown;
  close(): void;
}

/** A connection of the library that this Node has, for making what a provider then reads. */
export function openForWriting(path: string): WritableDatabase {
  const sqlite = process.getBuiltinModule("node:sqlite") as
    | { readonly DatabaseSync: new (path: string) => WritableDatabase }
    | undefined;
  if (sqlite !== undefined) return new sqlite.DatabaseSync(path);
  const Sqlite: new (path: string) => WritableDatabase = createRequire(import.meta.url)("better-sqlite3");
  return new Sqlite(path);
}
