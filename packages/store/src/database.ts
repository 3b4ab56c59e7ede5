/** What a column or parameter may hold. Booleans are 0 or 1, times are `Instant` text, structures are JSON text. */
export type SqlValue = string | number | null;

/** A row as the engine returns it: plain object, no prototype surprises. */
export type SqlRow = Readonly<Record<string, SqlValue>>;

/**
 * Statements inside one transaction. Placeholders are `?` in order; text comes back exactly, numbers too.
 *
 * A statement that fails spoils its transaction: what follows is refused with the same error, and all of it is rolled back.
 * Refuses text with NUL or ill-formed Unicode with `text_not_storable`.
 */
export interface Transaction {
  all<Row extends object = SqlRow>(sql: string, ...parameters: readonly SqlValue[]): Promise<readonly Row[]>;
  get<Row extends object = SqlRow>(sql: string, ...parameters: readonly SqlValue[]): Promise<Row | undefined>;
  /** Resolves to the number of rows changed. Not inside `read`. */
  run(sql: string, ...parameters: readonly SqlValue[]): Promise<number>;
}

/**
 * One open store. The only seam between the parts and a database engine.
 *
 * Every failure is a `LoopxError` with a `store_*` code; no driver error escapes.
 */
export interface Database {
  readonly engine: "sqlite" | "postgres";
  /** False when the files can be read but not written: `write` then refuses with `store_read_only`. */
  readonly isWritable: boolean;
  /** Runs reads on one consistent snapshot. */
  read<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result>;
  /**
   * Runs `work` with the write lock held from the start, then commits durably.
   *
   * Rolls back when `work` throws, and throws the same. Waits for other writers up to the busy limit, then `store_busy`.
   * Calls on one Database queue; `work` must not call `read` or `write` of the same Database.
   */
  write<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result>;
  /**
   * Takes away what a log beside the store still holds of text that was deleted or replaced since. False where another
   * connection needs the log at the moment; then nothing is lost by asking again.
   */
  clearLog(): Promise<boolean>;
  /**
   * Gives the space of removed rows back to the system; without it later rows take that. Writes the whole store anew: takes
   * as much memory as it then has bytes, and holds it meanwhile. Undefined where a server does that by itself.
   */
  returnFreeSpace(): Promise<{ readonly bytesBefore: number; readonly bytesAfter: number } | undefined>;
  /** Copies the committed state to a new file, online. Refuses an existing target. */
  backupTo(path: string): Promise<void>;
  close(): Promise<void>;
}
