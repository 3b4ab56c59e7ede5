export type SqliteDriverName = "node:sqlite" | "better-sqlite3";

/** What a parameter becomes on its way into SQLite: whole numbers go as bigint, since both drivers bind a number as REAL. */
export type SqliteBinding = string | number | bigint | null;

/** A row as a driver gives it, not yet checked. */
export type SqliteRow = Readonly<Record<string, unknown>>;

export interface SqliteStatement {
  all(parameters: readonly SqliteBinding[]): readonly SqliteRow[];
  get(parameters: readonly SqliteBinding[]): SqliteRow | undefined;
  /** The number of rows changed. */
  run(parameters: readonly SqliteBinding[]): number;
}

/** One synchronous connection. It throws the driver's own errors, which `toStoreError` translates. */
export interface SqliteConnection {
  /** Runs any number of statements without parameters. */
  exec(sql: string): void;
  prepare(sql: string): SqliteStatement;
  close(): void;
}

/** What every SQLite library we can use must give. A lock that is held is reported at once: waiting is ours. */
export interface SqliteDriver {
  readonly name: SqliteDriverName;
  open(path: string, options: { readonly readonly: boolean }): SqliteConnection;
}
