import type { SqliteBinding, SqliteConnection, SqliteDriver, SqliteRow } from "./sqlite-driver.ts";

/** The part of `node:sqlite` used here; the type package of our oldest Node does not know the module. */
interface NodeSqlite {
  readonly DatabaseSync: new (
    path: string,
    options: { readonly readOnly: boolean; readonly defensive: true },
  ) => NodeDatabase;
}

interface NodeDatabase {
  exec(sql: string): void;
  prepare(sql: string): NodeStatement;
  close(): void;
}

interface NodeStatement {
  all(...parameters: readonly SqliteBinding[]): SqliteRow[];
  get(...parameters: readonly SqliteBinding[]): SqliteRow | undefined;
  run(...parameters: readonly SqliteBinding[]): { readonly changes: number | bigint };
}

/** The driver over Node's own SQLite, or undefined on a Node without it. */
export function loadNodeSqliteDriver(): SqliteDriver | undefined {
  const sqlite = loadWithoutWarning();
  if (!sqlite) return undefined;
  return {
    name: "node:sqlite",
    // A Node that doesn't know `defensive` ignores it; better-sqlite3 is so unless told otherwise.
    open: (path, { readonly }) => toConnection(new sqlite.DatabaseSync(path, { readOnly: readonly, defensive: true })),
  };
}

// Node 22 warns on stderr when the module is first loaded. The load is synchronous, so no other warning is held back.
function loadWithoutWarning(): NodeSqlite | undefined {
  const emitWarning = process.emitWarning.bind(process);
  const original = Object.getOwnPropertyDescriptor(process, "emitWarning");
  const emitOthers = (...warning: Parameters<typeof emitWarning>): void => {
    if (!isSqliteWarning(warning)) emitWarning(...warning);
  };
  Object.defineProperty(process, "emitWarning", { ...original, value: emitOthers });
  try {
    const sqlite = process.getBuiltinModule("node:sqlite");
    return isNodeSqlite(sqlite) ? sqlite : undefined;
  } finally {
    if (original) Object.defineProperty(process, "emitWarning", original);
  }
}

function isNodeSqlite(module: object | undefined): module is NodeSqlite {
  return module !== undefined && "DatabaseSync" in module;
}

function isSqliteWarning([warning, type]: readonly unknown[]): boolean {
  return type === "ExperimentalWarning" && typeof warning === "string" && warning.startsWith("SQLite ");
}

function toConnection(database: NodeDatabase): SqliteConnection {
  return {
    exec: (sql) => database.exec(sql),
    prepare: (sql) => {
      const statement = database.prepare(sql);
      return {
        all: (parameters) => statement.all(...parameters),
        get: (parameters) => statement.get(...parameters),
        run: (parameters) => Number(statement.run(...parameters).changes),
      };
    },
    close: () => database.close(),
  };
}
