import { createRequire } from "node:module";
import type { SqliteBinding, SqliteConnection, SqliteDriver, SqliteRow, SqliteStatement } from "./sqlite-driver.ts";

type BetterSqlite3 = new (path: string, options: BetterOptions) => BetterDatabase;

interface BetterOptions {
  readonly readonly: boolean;
  readonly timeout: number;
  readonly nativeBinding: object;
}

interface BetterDatabase {
  exec(sql: string): unknown;
  prepare(sql: string): BetterStatement;
  close(): void;
}

interface BetterStatement {
  /** False for a statement that returns no rows; `all` and `get` refuse such a one. */
  readonly reader: boolean;
  all(...parameters: readonly SqliteBinding[]): SqliteRow[];
  get(...parameters: readonly SqliteBinding[]): SqliteRow | undefined;
  run(...parameters: readonly SqliteBinding[]): { readonly changes: number };
}

/** The driver over better-sqlite3, or undefined where the package or its compiled addon is absent. */
export function loadBetterSqlite3Driver(): SqliteDriver | undefined {
  // `require` instead of `import()`: loading a CommonJS package through the ESM loader costs 2 ms more on the hot path.
  const require = createRequire(import.meta.filename);
  try {
    const Sqlite: BetterSqlite3 = require("better-sqlite3");
    // An installer that blocks install scripts leaves the package without its addon, so the addon is loaded here and not at
    // the first opening. Naming it also spares the package's own search for it, a quarter of its load time.
    const nativeBinding: object = require("better-sqlite3/build/Release/better_sqlite3.node");
    return {
      name: "better-sqlite3",
      open: (path, { readonly }) => toConnection(new Sqlite(path, { readonly, timeout: 0, nativeBinding })),
    };
  } catch {
    return undefined;
  }
}

function toConnection(database: BetterDatabase): SqliteConnection {
  return {
    exec: (sql) => void database.exec(sql),
    prepare: (sql) => toStatement(database.prepare(sql)),
    close: () => database.close(),
  };
}

function toStatement(statement: BetterStatement): SqliteStatement {
  return {
    all: (parameters) => {
      if (statement.reader) return statement.all(...parameters);
      statement.run(...parameters);
      return [];
    },
    get: (parameters) => {
      if (statement.reader) return statement.get(...parameters);
      statement.run(...parameters);
      return undefined;
    },
    run: (parameters) => statement.run(...parameters).changes,
  };
}
